package app

import (
	"context"
	"errors"
	"fmt"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/domain"
)

// maxRaces bounds how often an attempt decides anew about an appointment because another booking of the day came first. Every lost race
// is a booking that another one won, and a day has few.
const maxRaces = 100

// record holds the command against the rules and appends the lead. It returns a *contract.Error when they refuse it, domain.ErrNotRecorded
// when this attempt recorded nothing, and any other error when the lead may be in the log.
func (s *Submitter) record(
	ctx context.Context, cmd domain.Command, claim domain.Claim, dealer *tenant.Document,
) (domain.Recorded, error) {
	id, err := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("name the lead: %w", err)
	}
	vehicle := s.vehicle(ctx, cmd)
	if err := cmd.Check(vehicle, s.Now()); err != nil {
		return domain.Recorded{}, err
	}
	buyer := cmd.Buyer(vehicle)
	unlock, err := s.Buyers.Lock(ctx, cmd.Tenant, buyer)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("%w: %w", domain.ErrNotRecorded, err)
	}
	defer unlock()
	f := domain.Findings{
		ID: id, FirstClaimedAt: claim.FirstClaimedAt, CorrelationID: correlation.From(ctx), Dealer: dealer, Vehicle: vehicle,
	}
	if earlier, found := s.Buyers.First(cmd.Tenant, cmd.Caller, buyer, s.Now()); found {
		f.After(earlier, cmd.Caller)
	}
	recorded, err := s.append(ctx, cmd, f)
	if err == nil && !recorded.Found && f.Repeats == "" {
		s.Buyers.Note(cmd.Tenant, cmd.Caller, buyer, recorded.LeadID, claim.FirstClaimedAt)
	}
	return recorded, err
}

// append answers the request for an appointment and appends the lead with its booking, until no other booking comes between.
func (s *Submitter) append(ctx context.Context, cmd domain.Command, f domain.Findings) (domain.Recorded, error) {
	leave, err := s.takeDay(ctx, cmd, f)
	if err != nil {
		return domain.Recorded{}, err
	}
	defer leave()
	for range maxRaces {
		appointment, booking, err := s.appoint(ctx, cmd, f)
		if err != nil {
			return domain.Recorded{}, err
		}
		f.Appointment = appointment
		lead, err := cmd.Accept(f)
		if err != nil {
			return domain.Recorded{}, err
		}
		recorded, err := s.Log.AppendFirst(ctx, cmd.Digest, lead, booking) // one event, whoever published it
		if !errors.Is(err, domain.ErrDayChanged) {
			return recorded, err
		}
	}
	return domain.Recorded{}, fmt.Errorf("book an appointment: %d times %w; %w", maxRaces, domain.ErrDayChanged, domain.ErrNotRecorded)
}

// vehicle looks the vehicle of interest up.
func (s *Submitter) vehicle(ctx context.Context, cmd domain.Command) domain.Vehicle {
	ref, named := cmd.Vehicle()
	if !named {
		return domain.Vehicle{}
	}
	vehicle, err := s.Stock.Vehicle(ctx, cmd.Tenant, ref)
	if err != nil {
		s.warn(ctx, cmd.Tenant, "the inventory did not answer", err)
	}
	return vehicle
}
