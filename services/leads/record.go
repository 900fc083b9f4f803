package leads

import (
	"encoding/json"
	"strings"
	"time"

	"forecourt.internal/services/leads/internal/eventlog"
)

// Record is one event of a lead with its envelope.
type Record struct {
	// Sequence is the event's place in the LEADS stream.
	Sequence uint64 `json:"sequence"`
	// Subject is "lead.v1.<tenant>.<event>".
	Subject string `json:"subject"`
	// ID is the event's CloudEvents id.
	ID string `json:"id"`
	// Type is the event's CloudEvents type, such as "forecourt.lead.submitted.v1".
	Type          string    `json:"type"`
	Time          time.Time `json:"time"`
	Tenant        string    `json:"tenant"`
	LeadID        string    `json:"lead_id"`
	CorrelationID string    `json:"correlation_id,omitempty"`
	// Data is the event's JSON, valid against the schema of its type. It holds the customer's data.
	Data json.RawMessage `json:"data"`
}

func newRecord(e eventlog.Entry) Record {
	tokens := strings.Split(e.Subject, ".")
	return Record{
		Sequence: e.Sequence, Subject: e.Subject, ID: e.Event.ID, Type: e.Event.Type, Time: e.Event.Time,
		Tenant: tokens[len(tokens)-2], LeadID: e.Event.Subject, CorrelationID: e.Event.CorrelationID, Data: e.Event.Data,
	}
}
