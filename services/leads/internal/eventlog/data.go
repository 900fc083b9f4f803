package eventlog

import (
	"encoding/json"
	"fmt"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/services/leads/internal/domain"
)

const (
	typeSubmitted   = "forecourt.lead.submitted.v1"
	schemaSubmitted = contract.SchemaBaseURL + "event-lead-submitted.schema.json"
	source          = "/forecourt/leads"
)

// submittedHead is the data of a submitted event without request and response, which are spliced in: both stay the bytes that
// they are.
type submittedHead struct {
	LeadID        domain.LeadID `json:"lead_id"`
	Tenant        string        `json:"tenant"`
	Caller        string        `json:"caller"`
	Fingerprint   string        `json:"fingerprint"`
	ReceivedAt    time.Time     `json:"received_at"`
	CorrelationID string        `json:"correlation_id,omitempty"`
}

// submittedEvent is the first event of a lead. The same lead always makes the same event.
func submittedEvent(lead domain.Lead) (event.Event, error) {
	head, err := json.Marshal(submittedHead{
		LeadID: lead.ID, Tenant: lead.Tenant, Caller: lead.Caller, Fingerprint: lead.Fingerprint.String(),
		ReceivedAt: lead.ReceivedAt, CorrelationID: lead.CorrelationID,
	})
	if err != nil {
		return event.Event{}, fmt.Errorf("encode lead %s: %w", lead.ID, err)
	}
	data := make([]byte, 0, len(head)+len(lead.Request)+len(lead.Response)+32)
	data = append(data, head[:len(head)-1]...)
	data = append(data, `,"request":`...)
	data = append(data, lead.Request...)
	data = append(data, `,"response":`...)
	data = append(data, lead.Response...)
	data = append(data, '}')
	return event.Event{
		ID: string(lead.ID) + ":" + submitted + ":1", Type: typeSubmitted, Source: source, Subject: string(lead.ID),
		Time: lead.ReceivedAt, DataSchema: schemaSubmitted, CorrelationID: lead.CorrelationID, Data: data,
	}, nil
}

// recorded reads a submitted event.
func (e Entry) recorded() (domain.Recorded, error) {
	var data struct {
		LeadID      domain.LeadID   `json:"lead_id"`
		Fingerprint string          `json:"fingerprint"`
		Response    json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(e.Event.Data, &data); err != nil || len(data.Response) == 0 {
		return domain.Recorded{}, fmt.Errorf("event %d of stream %s is not a submitted lead", e.Sequence, Stream)
	}
	f, err := domain.ParseFingerprint(data.Fingerprint)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("event %d of stream %s: %w", e.Sequence, Stream, err)
	}
	return domain.Recorded{LeadID: data.LeadID, Fingerprint: f, Response: data.Response, Found: true}, nil
}
