package app

import (
	"context"
	"fmt"

	"forecourt.internal/services/leads/internal/calendar"
	"forecourt.internal/services/leads/internal/domain"
)

// day is the ledger of one day as it was read.
type day struct {
	subject string
	last    uint64
	ledger  calendar.Ledger
}

// appoint answers the request for an appointment, if there is one, from the days as they are in the log. booking is what makes a confirmed
// one lasting. It returns a *contract.Error when there is no open time at all.
func (s *Submitter) appoint(
	ctx context.Context, cmd domain.Command, f domain.Findings,
) (answer *domain.Appointment, booking *domain.Booking, err error) {
	wish, asked := cmd.Wish()
	if !asked {
		return nil, nil, nil
	}
	office, known := calendar.OfficeOf(f.Dealer, f.Vehicle.Rooftop, wish.Type)
	if wish.At.IsZero() || !known {
		return domain.Requested(f.ID), nil, nil
	}
	days := make(map[calendar.Date]day)
	booked := func(date calendar.Date) ([]calendar.Booking, error) {
		d, err := s.day(ctx, cmd.Tenant, office, date)
		days[date] = d
		return d.ledger.Bookings, err
	}
	if own, err := s.ownBooking(f, wish, office, booked); own != nil || err != nil {
		return own, nil, err
	}
	decision, err := office.Decide(calendar.Wish{At: wish.At, Duration: wish.Duration}, s.Now(), booked)
	if err != nil {
		return nil, nil, err
	}
	switch decision := decision.(type) {
	case calendar.Confirmed:
		answer := domain.Confirmed(f.ID.AppointmentID(), decision.Start)
		d := days[decision.Date]
		return answer, d.with(calendar.Booking{
			LeadID: string(f.LeadID()), AppointmentID: answer.ID, Start: decision.Start, End: decision.End,
		}), nil
	case calendar.Proposed:
		return domain.Proposed(f.ID, decision.Times), nil, nil
	default:
		return nil, nil, domain.NoTime()
	}
}

// takeDay lets the leads of this process that wish for one day go one at a time: each booking changes the day for all others.
func (s *Submitter) takeDay(ctx context.Context, cmd domain.Command, f domain.Findings) (leave func(), err error) {
	wish, asked := cmd.Wish()
	if !asked || wish.At.IsZero() {
		return func() {}, nil
	}
	office, known := calendar.OfficeOf(f.Dealer, f.Vehicle.Rooftop, wish.Type)
	if !known {
		return func() {}, nil
	}
	leave, err = s.days.Take(ctx, office.Subject(cmd.Tenant, office.Day(wish.At)))
	if err != nil {
		return nil, fmt.Errorf("wait for another booking of the day (%w): %w", err, domain.ErrNotRecorded)
	}
	return leave, nil
}

// day reads the ledger of a day; it is an empty one when nothing is booked.
func (s *Submitter) day(ctx context.Context, tenant string, office calendar.Office, date calendar.Date) (day, error) {
	subject := office.Subject(tenant, date)
	ledger, last, err := s.Log.Day(ctx, subject)
	if err != nil {
		return day{}, fmt.Errorf("%w (%w)", err, domain.ErrNotRecorded)
	}
	if last == 0 {
		ledger = office.Ledger(tenant, date)
	}
	return day{subject, last, ledger}, nil
}

// ownBooking is the appointment that the lead which is repeated has at the wished time already, for as long at least: its own booking must
// not stand in its way.
func (s *Submitter) ownBooking(
	f domain.Findings, wish domain.Wish, office calendar.Office, booked func(calendar.Date) ([]calendar.Booking, error),
) (*domain.Appointment, error) {
	if f.Repeats == "" {
		return nil, nil
	}
	bookings, err := booked(office.Day(wish.At))
	if err != nil {
		return nil, err
	}
	for _, b := range bookings {
		if b.LeadID == string(f.Repeats) && b.Start.Equal(wish.At) && b.End.Sub(b.Start) >= wish.Duration {
			return domain.Confirmed(b.AppointmentID, b.Start.In(office.Zone())), nil
		}
	}
	return nil, nil
}

// with is the day with one booking more.
func (d day) with(b calendar.Booking) *domain.Booking {
	ledger := d.ledger
	ledger.Bookings = append(ledger.Bookings[:len(ledger.Bookings):len(ledger.Bookings)], b)
	return &domain.Booking{Subject: d.subject, Last: d.last, Ledger: ledger}
}
