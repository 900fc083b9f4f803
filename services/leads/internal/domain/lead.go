package domain

import (
	"time"

	"forecourt.internal/platform/tenant"
)

// Lead is a request that was accepted, with the answer to it.
type Lead struct {
	ID     LeadID
	Tenant string
	// Caller is the scope that submitted it.
	Caller      string
	Fingerprint Fingerprint
	// ReceivedAt is when its key was first claimed.
	ReceivedAt    time.Time
	CorrelationID string
	// Request is the JSON that was sent, verbatim.
	Request []byte
	// Response is the JSON of the answer; every replay repeats these bytes.
	Response []byte
}

// Accept makes the lead of a command that passed Check. The same command, vehicle and first claim make the same lead.
func (c Command) Accept(v Vehicle, dealer *tenant.Document, firstClaimedAt time.Time, correlationID string) (Lead, error) {
	id, err := NewLeadID(firstClaimedAt, c.Digest)
	if err != nil {
		return Lead{}, err
	}
	response, err := c.response(id, v, dealer)
	if err != nil {
		return Lead{}, err
	}
	return Lead{
		ID: id, Tenant: c.Tenant, Caller: c.Caller, Fingerprint: c.Fingerprint, ReceivedAt: firstClaimedAt.UTC(),
		CorrelationID: correlationID, Request: c.Request, Response: response,
	}, nil
}
