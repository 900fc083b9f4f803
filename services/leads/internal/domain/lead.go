package domain

import (
	"strings"
	"time"

	"forecourt.internal/platform/tenant"
)

// Lead is a request that was accepted, with the answer to it.
type Lead struct {
	// ID is made of the first claim of its key. It is the lead's, unless Repeats says that the lead is another one.
	ID LeadID
	// Repeats is the lead of the same caller that this one is a repetition of; "" for a lead of its own.
	Repeats LeadID
	// PossibleDuplicateOf is a lead of another caller about the same buyer and vehicle, for the CRM; "" when there is none.
	PossibleDuplicateOf LeadID
	Tenant              string
	// Caller is the scope that submitted it.
	Caller      string
	Fingerprint Fingerprint
	// ReceivedAt is when its key was first claimed.
	ReceivedAt    time.Time
	CorrelationID string
	// VehicleID is the vehicle of interest as the inventory knows it; "" when it does not or none is named.
	VehicleID string
	// Request is the JSON that was sent, verbatim.
	Request []byte
	// Response is the JSON of the answer; every replay repeats these bytes.
	Response []byte
}

// LeadID is the id that the caller is told: that of the lead which this one repeats, or its own.
func (l Lead) LeadID() LeadID { return l.Repeats.or(l.ID) }

// Earlier is a lead of the tenant about the same buyer and the same vehicle.
type Earlier struct {
	LeadID LeadID
	// SameCaller is true when the caller of the command submitted it.
	SameCaller bool
}

// Findings are what the lead of a command is made of beside the command.
type Findings struct {
	// ID is made of the first claim of the command's key.
	ID             LeadID
	FirstClaimedAt time.Time
	CorrelationID  string
	Dealer         *tenant.Document
	Vehicle        Vehicle
	// Repeats and PossibleDuplicateOf are the lead's, see After.
	Repeats             LeadID
	PossibleDuplicateOf LeadID
	// Appointment is the answer to the request for one; nil when there is none.
	Appointment *Appointment
}

// After notes an earlier lead of the buyer. Only the caller that has submitted it, and has proven to be that caller, may know that
// there is one: its lead repeats it. On a public endpoint anyone may claim to be an agent of some name.
func (f *Findings) After(e Earlier, caller string) {
	if e.SameCaller && strings.HasPrefix(caller, "oauth|") {
		f.Repeats = e.LeadID
	} else {
		f.PossibleDuplicateOf = e.LeadID
	}
}

// LeadID is the id that the caller will be told.
func (f Findings) LeadID() LeadID { return f.Repeats.or(f.ID) }

// Accept makes the lead of a command that passed Check. The same command and findings make the same lead.
func (c Command) Accept(f Findings) (Lead, error) {
	response, err := f.response()
	if err != nil {
		return Lead{}, err
	}
	return Lead{
		ID: f.ID, Repeats: f.Repeats, PossibleDuplicateOf: f.PossibleDuplicateOf, Tenant: c.Tenant, Caller: c.Caller,
		Fingerprint: c.Fingerprint, ReceivedAt: f.FirstClaimedAt.UTC(), CorrelationID: f.CorrelationID,
		VehicleID: f.Vehicle.VehicleID, Request: c.Request, Response: response,
	}, nil
}
