package domain

import (
	"encoding/json"
	"errors"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/services/leads/internal/calendar"
)

// ErrDayChanged says that a booking was not made because another one of the same day came first; the day must be looked at again.
var ErrDayChanged = errors.New("the day has another booking by now")

// Appointment is the answer to a request for one, in the shape of the response.
type Appointment struct {
	ID string `json:"appointment_id"`
	// Status is requested, proposed or confirmed.
	Status string `json:"status"`
	// ConfirmedAt is the start of a confirmed one, with the offset of the rooftop's zone.
	ConfirmedAt string `json:"confirmed_at,omitempty"`
	// ProposedTimes are one to three open starts instead of the one that was asked for.
	ProposedTimes []string `json:"proposed_times,omitempty"`
}

// Booking makes a confirmed appointment lasting: the ledger of its day with the appointment in it. It goes into the log together
// with the lead.
type Booking struct {
	// Subject names the day in the log.
	Subject string
	// Last is the sequence of the ledger that this one follows; 0 for the first of the day.
	Last   uint64
	Ledger calendar.Ledger
}

// Wish is what the buyer asks for.
type Wish struct {
	// Type is sales, service, test_drive or trade_in.
	Type string
	// At is the zero time when the buyer leaves it open.
	At time.Time
	// Duration is 0 when the buyer leaves it open.
	Duration time.Duration
}

// Wish returns the appointment that is asked for; ok is false when there is none.
func (c Command) Wish() (w Wish, ok bool) {
	appointment, ok := c.members["appointment"].(map[string]any)
	if !ok {
		return Wish{}, false
	}
	w.Type, _ = appointment["appointment_type"].(string)
	if s, given := appointment["appointment_at"].(string); given {
		w.At, _ = contract.ParseTime(s) // the schema has said that it is one
	}
	if n, given := appointment["duration_minutes"].(json.Number); given {
		w.Duration = minutes(n)
	}
	return w, true
}

// minutes reads a length; one that no day has room for stays one.
func minutes(n json.Number) time.Duration {
	const tooLong = 48 * time.Hour
	whole, ok := contract.Int64(n)
	if !ok || whole > int64(tooLong/time.Minute) {
		return tooLong
	}
	return time.Duration(whole) * time.Minute
}

// Requested is the answer when staff has to find a time: the buyer names none, or nobody knows the hours.
func Requested(id LeadID) *Appointment {
	return &Appointment{ID: id.AppointmentID(), Status: "requested"}
}

// Confirmed is the answer of a time that is booked.
func Confirmed(id string, start time.Time) *Appointment {
	return &Appointment{ID: id, Status: "confirmed", ConfirmedAt: start.Format(time.RFC3339Nano)}
}

// Proposed is the answer of a time that is not open when others are.
func Proposed(id LeadID, times []time.Time) *Appointment {
	a := &Appointment{ID: id.AppointmentID(), Status: "proposed"}
	for _, t := range times {
		a.ProposedTimes = append(a.ProposedTimes, t.Format(time.RFC3339Nano))
	}
	return a
}

// NoTime is the refusal when there is nothing to propose.
func NoTime() *contract.Error {
	return contract.NewError(contract.AppointmentTimeUnavailable, "The dealership has no open time for this appointment.",
		contract.Problem{
			InstanceLocation: "/appointment/appointment_at", Keyword: "open_time",
			Error:      "Neither this time nor any other that the dealership takes appointments for is open.",
			Correction: "Leave out appointment_at, and the dealership will suggest a time, or ask for a shorter duration_minutes.",
		})
}
