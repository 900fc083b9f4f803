package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Lead is an event of the log that was the first under its key.
type Lead struct {
	Sequence uint64
	// Stored is when the broker stored it; it counts from the start of the run, as the times of attempts do.
	Stored  time.Duration
	MsgID   string
	Type    string
	LeadID  string
	Key     Key
	Payload string // as canonical writes it
	// Response is the answer that it records, byte for byte.
	Response string
	// Visit is the appointment that the answer confirms; nil when it does not.
	Visit *Visit
}

func (l Lead) String() string { return fmt.Sprintf("%d (%s)", l.Sequence, l.Key) }

// The types of a lead's first event.
const (
	submitted = "forecourt.lead.submitted.v1"
	repeated  = "forecourt.lead.repeated.v1"
)

// Log is what the LEADS stream holds.
type Log struct {
	Leads []Lead
	Days  []Day
	// Strange are messages that no process should have put there.
	Strange []string
}

// ReadLog reads the whole stream. began is what times count from.
func ReadLog(ctx context.Context, js jetstream.JetStream, began time.Time) (Log, error) {
	stream, err := js.Stream(ctx, "LEADS")
	if err != nil {
		return Log{}, fmt.Errorf("read the log: %w", err)
	}
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return Log{}, fmt.Errorf("read the log: %w", err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		return Log{}, fmt.Errorf("read the log: %w", err)
	}
	defer messages.Stop()
	var log Log
	for last := stream.CachedInfo().State.LastSeq; last > 0; {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return Log{}, fmt.Errorf("read the log: %w", err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return Log{}, fmt.Errorf("read the log: %w", err)
		}
		log.add(msg, meta, began)
		if meta.Sequence.Stream >= last {
			break
		}
	}
	return log, nil
}

func (l *Log) add(msg jetstream.Msg, meta *jetstream.MsgMetadata, began time.Time) {
	var err error
	switch kind := msg.Headers().Get("ce-type"); {
	case strings.HasPrefix(msg.Subject(), "lead.v1.") && (kind == submitted || kind == repeated):
		lead := Lead{Sequence: meta.Sequence.Stream, Stored: meta.Timestamp.Sub(began), MsgID: msg.Headers().Get("Nats-Msg-Id"), Type: kind}
		if err = lead.read(msg); err == nil {
			l.Leads = append(l.Leads, lead)
		}
	case strings.HasPrefix(msg.Subject(), "appointment.v1."):
		day := Day{Sequence: meta.Sequence.Stream, Subject: msg.Subject()}
		if err = json.Unmarshal(msg.Data(), &day); err == nil {
			l.Days = append(l.Days, day)
		}
	default:
		err = fmt.Errorf("nobody publishes type %q", kind)
	}
	if err != nil {
		l.Strange = append(l.Strange, fmt.Sprintf("event %d on %s: %v", meta.Sequence.Stream, msg.Subject(), err))
	}
}

func (l *Lead) read(msg jetstream.Msg) error {
	var data struct {
		LeadID   string          `json:"lead_id"`
		Tenant   string          `json:"tenant"`
		Caller   string          `json:"caller"`
		Request  json.RawMessage `json:"request"`
		Response json.RawMessage `json:"response"`
	}
	if err := json.Unmarshal(msg.Data(), &data); err != nil {
		return err
	}
	var request struct {
		Key string `json:"idempotency_key"`
	}
	if err := json.Unmarshal(data.Request, &request); err != nil {
		return err
	}
	agent, public := strings.CutPrefix(data.Caller, "public|")
	name := strings.TrimSuffix(strings.TrimPrefix(l.Type, "forecourt.lead."), ".v1")
	if !public || msg.Subject() != "lead.v1."+data.Tenant+"."+name || msg.Headers().Get("ce-subject") != data.LeadID {
		return fmt.Errorf("caller %q, tenant %q, lead %q", data.Caller, data.Tenant, data.LeadID)
	}
	l.LeadID, l.Key = data.LeadID, Key{Tenant: data.Tenant, Agent: agent, Key: request.Key}
	l.Payload, l.Response = canonical(data.Request), string(data.Response)
	l.Visit = visit(data.Request, data.Response)
	return nil
}

// visit reads what was confirmed; nil when nothing was.
func visit(request, response []byte) *Visit {
	var asked struct {
		Appointment struct {
			Type    string `json:"appointment_type"`
			Minutes int    `json:"duration_minutes"`
		}
	}
	var told struct {
		Data struct {
			Appointment struct {
				ID          string `json:"appointment_id"`
				Status      string
				ConfirmedAt time.Time `json:"confirmed_at"`
			}
		}
	}
	if json.Unmarshal(request, &asked) != nil || json.Unmarshal(response, &told) != nil || told.Data.Appointment.Status != "confirmed" {
		return nil
	}
	v := Visit{AppointmentID: told.Data.Appointment.ID, Department: "sales", Start: told.Data.Appointment.ConfirmedAt}
	if asked.Appointment.Type == "service" {
		v.Department = "service"
	}
	v.End = v.Start.Add(time.Duration(asked.Appointment.Minutes) * time.Minute)
	return &v
}
