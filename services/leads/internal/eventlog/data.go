package eventlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/services/leads/internal/domain"
)

const source = "/forecourt/leads"

// kind is a kind of event in the log.
type kind struct{ name, ceType, schema string }

var (
	// submitted is the first event of a lead.
	submitted = kind{"submitted", "forecourt.lead.submitted.v1", contract.SchemaBaseURL + "event-lead-submitted.schema.json"}
	// repeated is what the same caller sent again under another key.
	repeated = kind{"repeated", "forecourt.lead.repeated.v1", contract.SchemaBaseURL + "event-lead-repeated.schema.json"}
	// booked is the ledger of a day, with one appointment more than the one before.
	booked = kind{"booked", "forecourt.appointment.booked.v1", contract.SchemaBaseURL + "event-appointment-booked.schema.json"}
)

func kindOf(lead domain.Lead) kind {
	if lead.Repeats != "" {
		return repeated
	}
	return submitted
}

// head is the data of a lead's event without request and response, which are spliced in: both stay the bytes that they are.
type head struct {
	LeadID              domain.LeadID `json:"lead_id"`
	Tenant              string        `json:"tenant"`
	Caller              string        `json:"caller"`
	Fingerprint         string        `json:"fingerprint"`
	ReceivedAt          time.Time     `json:"received_at"`
	CorrelationID       string        `json:"correlation_id,omitempty"`
	PossibleDuplicateOf domain.LeadID `json:"possible_duplicate_of,omitempty"`
	VehicleID           string        `json:"vehicle_id,omitempty"`
}

// firstEvent is the event that is recorded first under a key. The same lead always makes the same event.
func firstEvent(lead domain.Lead) (event.Event, error) {
	head, err := json.Marshal(head{
		LeadID: lead.LeadID(), Tenant: lead.Tenant, Caller: lead.Caller, Fingerprint: lead.Fingerprint.String(),
		ReceivedAt: lead.ReceivedAt, CorrelationID: lead.CorrelationID, PossibleDuplicateOf: lead.PossibleDuplicateOf,
		VehicleID: lead.VehicleID,
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
	k := kindOf(lead)
	return event.Event{
		ID: eventID(lead), Type: k.ceType, Source: source, Subject: string(lead.LeadID()),
		Time: lead.ReceivedAt, DataSchema: k.schema, CorrelationID: lead.CorrelationID, Data: data,
	}, nil
}

// eventID is unique among the events of a lead. A lead may be repeated by several keys at once, so the number of a repetition is its
// own ULID.
func eventID(lead domain.Lead) string {
	if lead.Repeats != "" {
		return string(lead.Repeats) + ":" + repeated.name + ":" + lead.ID.ULID()
	}
	return string(lead.ID) + ":" + submitted.name + ":1"
}

// attempt reads from an event the id that was made of the claim under which it was recorded.
func attempt(e event.Event) domain.LeadID {
	if e.Type == repeated.ceType {
		return domain.LeadIDOf(e.ID[strings.LastIndexByte(e.ID, ':')+1:])
	}
	return domain.LeadID(e.Subject)
}

// bookedEvent is the ledger of a day with the lead's appointment in it.
func bookedEvent(lead domain.Lead, b domain.Booking) (event.Event, error) {
	data, err := json.Marshal(b.Ledger)
	if err != nil {
		return event.Event{}, fmt.Errorf("encode the day of lead %s: %w", lead.ID, err)
	}
	return event.Event{
		ID: string(lead.LeadID()) + ":" + booked.name + ":" + lead.ID.ULID(), Type: booked.ceType, Source: source,
		Subject: string(lead.LeadID()), Time: lead.ReceivedAt, DataSchema: booked.schema, CorrelationID: lead.CorrelationID, Data: data,
	}, nil
}

// recorded reads the first event under a key.
func (e Entry) recorded() (domain.Recorded, error) {
	var data struct {
		LeadID      domain.LeadID   `json:"lead_id"`
		Fingerprint string          `json:"fingerprint"`
		Response    json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(e.Event.Data, &data); err != nil || len(data.Response) == 0 {
		return domain.Recorded{}, fmt.Errorf("event %d of stream %s is not a lead", e.Sequence, Stream)
	}
	f, err := domain.ParseFingerprint(data.Fingerprint)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("event %d of stream %s: %w", e.Sequence, Stream, err)
	}
	return domain.Recorded{
		LeadID: data.LeadID, Attempt: attempt(e.Event), Fingerprint: f, Response: data.Response, Found: true,
	}, nil
}
