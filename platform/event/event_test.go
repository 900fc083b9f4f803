package event_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"forecourt.internal/platform/event"
)

func TestEvent_SurvivesTheWire(t *testing.T) {
	want := event.Event{
		ID: "01J", Type: "forecourt.lead.submitted.v1", Source: "/forecourt/leads", Subject: "lead_01J",
		Time:       time.Date(2026, 11, 30, 12, 0, 0, 5, time.UTC),
		DataSchema: "https://autoagentprotocol.org/v3.0/schemas/event-lead-submitted.schema.json", CorrelationID: "c1", Data: []byte(`{"a":1}`),
	}
	msg := want.Msg("lead.v1.demo.submitted")
	got, err := event.FromMsg(msg.Header, msg.Data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got, want := msg.Header["ce-specversion"], []string{"1.0"}; !cmp.Equal(got, want) {
		t.Errorf("ce-specversion = %v, want %v", got, want)
	}
}

func TestFromMsg_RefusesWhatIsNoCloudEvent(t *testing.T) {
	whole := event.Event{ID: "1", Type: "t", Source: "/s", Time: time.Unix(0, 0)}
	for _, header := range []string{"ce-specversion", "ce-id", "ce-type", "ce-source"} {
		t.Run(header+" absent", func(t *testing.T) {
			msg := whole.Msg("s")
			delete(msg.Header, header)
			if _, err := event.FromMsg(msg.Header, nil); !errors.Is(err, event.ErrNotCloudEvent) {
				t.Errorf("err = %v, want ErrNotCloudEvent", err)
			}
		})
	}
	msg := whole.Msg("s")
	msg.Header["ce-time"] = []string{"yesterday"}
	if _, err := event.FromMsg(msg.Header, nil); !errors.Is(err, event.ErrNotCloudEvent) {
		t.Errorf("bad time: err = %v, want ErrNotCloudEvent", err)
	}
	if _, err := event.FromMsg(nats.Header(nil), nil); !errors.Is(err, event.ErrNotCloudEvent) {
		t.Errorf("no headers: err = %v, want ErrNotCloudEvent", err)
	}
}
