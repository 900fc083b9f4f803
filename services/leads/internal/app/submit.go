package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/leads/internal/claims"
	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
	"forecourt.internal/services/leads/internal/stock"
)

// ErrUnknownTenant says that no dealership has the command's tenant id.
var ErrUnknownTenant = errors.New("no such tenant")

// Submitter takes leads. All fields are required.
type Submitter struct {
	Tenants *tenants.Directory
	Claims  *claims.Client
	Stock   *stock.Client
	Log     *eventlog.Log
	Logger  *slog.Logger
	Now     func() time.Time
}

// Outcome is the answer to a command.
type Outcome struct {
	// Response is the JSON of a lead.submit.response, the same bytes on every retry.
	Response []byte
	// Replayed is true when an earlier attempt recorded it.
	Replayed bool
}

// Submit records a consented lead once and returns the outcome that the caller must see, now and on every retry (R-IDEM). It returns
// a *contract.Error for anything the buyer's agent can correct or try again, and ErrUnknownTenant. Once the key is claimed, the
// caller's going away no longer stops it.
func (s *Submitter) Submit(ctx context.Context, cmd domain.Command) (Outcome, error) {
	dealer, ok := s.Tenants.Get(cmd.Tenant)
	if !ok {
		return Outcome{}, ErrUnknownTenant
	}
	claim, err := s.Claims.Begin(ctx, cmd)
	if err != nil {
		return Outcome{}, err
	}
	if claim.Replay != nil {
		return Outcome{Response: claim.Replay, Replayed: true}, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claim.Lease)
	defer cancel()
	if claim.Resumed {
		// The log decides before the rules do: what was recorded stays recorded, even if the rules would refuse it by now.
		recorded, found, err := s.recorded(ctx, cmd, claim)
		if err != nil {
			return Outcome{}, unknown(claim, err)
		}
		if found {
			return s.settle(ctx, cmd, claim, recorded)
		}
	}
	lead, err := s.accept(ctx, cmd, claim, dealer)
	if err != nil {
		return Outcome{}, s.release(ctx, claim, err)
	}
	recorded, err := s.Log.AppendFirst(ctx, cmd.Digest, lead) // one event, whoever published it
	if err != nil {
		return Outcome{}, unknown(claim, err)
	}
	return s.settle(ctx, cmd, claim, recorded)
}

// recorded looks for the lead that an earlier attempt under the claim may have recorded.
func (s *Submitter) recorded(ctx context.Context, cmd domain.Command, claim claims.Claim) (eventlog.Recorded, bool, error) {
	id, err := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest)
	if err != nil {
		return eventlog.Recorded{}, false, err
	}
	entry, found, err := s.Log.Find(ctx, cmd.Tenant, id)
	if err != nil || !found {
		return eventlog.Recorded{}, false, err
	}
	recorded, err := entry.Recorded()
	return recorded, err == nil, err
}

// accept holds the command against the rules and makes the lead.
func (s *Submitter) accept(
	ctx context.Context, cmd domain.Command, claim claims.Claim, dealer *tenant.Document,
) (domain.Lead, error) {
	var vehicle domain.Vehicle
	if ref, named := cmd.Vehicle(); named {
		var err error
		if vehicle, err = s.Stock.Vehicle(ctx, cmd.Tenant, ref); err != nil {
			s.warn(ctx, cmd.Tenant, "the inventory did not answer", err)
		}
	}
	if err := cmd.Check(vehicle, s.Now()); err != nil {
		return domain.Lead{}, err
	}
	return cmd.Accept(vehicle, dealer, claim.FirstClaimedAt, correlation.From(ctx))
}

// settle answers with what the log holds under the key, and has the idempotency service remember it. That is a convenience: when
// it fails, the next attempt finds the event again.
func (s *Submitter) settle(
	ctx context.Context, cmd domain.Command, claim claims.Claim, recorded eventlog.Recorded,
) (Outcome, error) {
	if err := s.Claims.Complete(ctx, claim, recorded.Fingerprint, recorded.Response); err != nil {
		s.warn(ctx, cmd.Tenant, "the outcome of a lead was not remembered", err, "lead_id", recorded.LeadID)
	}
	if recorded.Fingerprint != cmd.Fingerprint {
		return Outcome{}, domain.Conflict()
	}
	return Outcome{Response: recorded.Response, Replayed: earlier(cmd, claim, recorded)}, nil
}

// earlier says whether the lead was recorded by another attempt. An event of this attempt's own id that was found rather than
// appended is its own, published twice, unless an attempt before it had the same claim.
func earlier(cmd domain.Command, claim claims.Claim, recorded eventlog.Recorded) bool {
	own, err := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest)
	return recorded.Found && (claim.Resumed || err != nil || recorded.LeadID != own)
}

// release gives the claim up after a refusal, which is what the caller gets to know. When it fails the lease runs out.
func (s *Submitter) release(ctx context.Context, claim claims.Claim, refusal error) error {
	if err := s.Claims.Release(ctx, claim); err != nil {
		return errors.Join(refusal, err)
	}
	return refusal
}

// unknown says that the lead may have been recorded. The claim is not released: the next attempt, once the lease has run out,
// looks into the log first.
func unknown(claim claims.Claim, cause error) error {
	return domain.TryLater("It is not known yet whether the lead was received.", claim.Lease, cause)
}

func (s *Submitter) warn(ctx context.Context, tenant, message string, err error, more ...any) {
	s.Logger.WarnContext(ctx, message, append(more, "tenant", tenant, "correlation_id", correlation.From(ctx), "error", err)...)
}
