package e2e

import (
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

// outcome is the data of a lead.submit.response.
type outcome struct {
	LeadID string `json:"lead_id"`
	Status string `json:"status"`
}

// leadArguments is a lead that a dealership takes, under an idempotency key.
func leadArguments(key string) map[string]any {
	return map[string]any{
		"type": "lead.submit.request",
		"customer": map[string]any{
			"first_name": "Robin", "last_name": "Example", "email": "robin@example.com", "preferred_contact": "email",
		},
		"consent": map[string]any{
			"granted_at": "2026-01-15T10:00:00-05:00", "allowed_channels": []string{"email"},
			"consent_text": "You may email me about this car.", "scope": []string{"lead_submission"},
		},
		"source_agent":    map[string]any{"name": "e2e"},
		"idempotency_key": key,
	}
}

// leadEvents counts the events in the log by the lead they are about.
func leadEvents(t *testing.T, p *binary.Process) map[string]int {
	t.Helper()
	nc, err := nats.Connect(p.Endpoints["nats"])
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "LEADS")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	events := map[string]int{}
	for seq := info.State.FirstSeq; seq <= info.State.LastSeq; seq++ {
		msg, err := stream.GetMsg(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		events[msg.Header.Get("ce-subject")]++
	}
	return events
}

func TestLead_64AtOnce_OneAnswerAndOneEvent(t *testing.T) {
	t.Parallel()
	p := startDemo(t, t.TempDir())
	a := newAgent(p.Endpoints["mcp"], current)
	results := make([]toolResult, 64)
	var group errgroup.Group
	for i := range results {
		group.Go(func() (err error) {
			results[i], err = a.try("aap_lead_submit", leadArguments("at-once"))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	fresh := 0
	for _, r := range results {
		if diff := cmp.Diff(string(results[0].StructuredContent), string(r.StructuredContent)); diff != "" {
			t.Errorf("answers differ:\n%s", diff)
		}
		if !replayed(t, r) {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d answers are not marked as replayed, want 1", fresh)
	}
	id := decode[struct{ Data outcome }](t, results[0].StructuredContent).Data.LeadID
	if diff := cmp.Diff(map[string]int{id: 1}, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}

func TestLead_KilledAndStartedAgain_ReplaysAndRefusesAnotherPayload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	arguments := leadArguments("survives")
	first := newAgent(p.Endpoints["mcp"], current).call(t, "aap_lead_submit", arguments)
	if first.IsError || replayed(t, first) {
		t.Fatalf("first answer: %s", first.StructuredContent)
	}
	p.Kill()

	p = startDemo(t, dir)
	for _, revision := range []string{current, compat} {
		a := newAgent(p.Endpoints["mcp"], revision)
		arguments["submitted_at"] = "2026-11-30T12:00:00Z" // an agent regenerates it when it retries
		again := a.call(t, "aap_lead_submit", arguments)
		if diff := cmp.Diff(string(first.StructuredContent), string(again.StructuredContent)); diff != "" || !replayed(t, again) {
			t.Errorf("%s: replayed = %t, diff:\n%s", revision, replayed(t, again), diff)
		}
		other := leadArguments("survives")
		other["message"] = "Something else."
		if got := a.refuse(t, "aap_lead_submit", other); got.Code != "IDEMPOTENCY_CONFLICT" {
			t.Errorf("%s: another payload under the key: %s, want IDEMPOTENCY_CONFLICT", revision, got.Code)
		}
	}
	id := decode[struct{ Data outcome }](t, first.StructuredContent).Data.LeadID
	if diff := cmp.Diff(map[string]int{id: 1}, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}
