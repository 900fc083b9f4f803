package e2e

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// promised are leads with what their caller was told, which holds whatever is lost.
type promised struct {
	tenant string
	leads  []map[string]any
	told   []toolResult
	events map[string]int
}

// promise submits a lead of each kind: one that is only a message, an appointment and a test drive, each of which fills its slot.
func promise(t *testing.T, s *system, tenant string) *promised {
	t.Helper()
	p := &promised{tenant: tenant, events: map[string]int{}}
	p.leads = []map[string]any{
		with(leadArguments("message"), map[string]any{"message": "Is it still there?"}),
		visit("appointment", "sales", slot(t, 2)),
		visit("drive", "test_drive", slot(t, 3)),
	}
	a := openDealership(t, s, tenant)
	for i, lead := range p.leads {
		result := a.call(t, "aap_lead_submit", lead)
		if replayed(t, result) || i > 0 && answered(t, result).Status != "confirmed" {
			t.Fatalf("a new lead: %s", result.StructuredContent)
		}
		p.told = append(p.told, result)
		p.events[leadOf(t, result)] = 1
	}
	return p
}

// kept holds every lead to what its caller was told: once more on both revisions, and against another payload.
func (p *promised) kept(t *testing.T, s *system, after string) {
	t.Helper()
	p.replays(t, s, after)
	a := s.agent(p.tenant)
	for i, lead := range p.leads {
		got := a.refuse(t, "aap_lead_submit", with(lead, map[string]any{"message": "Something else."}))
		if got.Code != "IDEMPOTENCY_CONFLICT" {
			t.Errorf("%s: another payload under key %d: %s, want IDEMPOTENCY_CONFLICT", after, i, got.Code)
		}
	}
	if diff := cmp.Diff(p.events, leadEventsOf(t, s.Process, p.tenant)); diff != "" {
		t.Errorf("%s: events by lead:\n%s", after, diff)
	}
	if got := bookings(t, s, p.tenant); len(got) != 2 {
		t.Errorf("%s: bookings: %v, want 2", after, got)
	}
}

func (p *promised) replays(t *testing.T, s *system, after string) {
	t.Helper()
	for _, revision := range []string{current, compat} {
		a := newAgent(s.TenantURL(p.tenant), revision)
		for i, lead := range p.leads {
			again := a.call(t, "aap_lead_submit", with(lead, map[string]any{"submitted_at": "2026-11-30T12:00:00Z"})) // agents renew it
			if diff := cmp.Diff(string(p.told[i].StructuredContent), string(again.StructuredContent)); diff != "" || !replayed(t, again) {
				t.Errorf("%s, %s: lead %d: replayed = %t, diff:\n%s", after, revision, i, replayed(t, again), diff)
			}
		}
	}
}

func TestLead_WhateverIsLost_TheFirstAnswerAgain(t *testing.T) {
	onEachSetUp(t, func(t *testing.T, s *system) {
		p := promise(t, s, "lost")
		s.kill()
		s.start()
		p.kept(t, s, "killed")

		s.forgetKeys(t)
		p.kept(t, s, "keys forgotten")

		s.dropKeys(t)
		s.kill()
		s.start()
		p.kept(t, s, "killed and the store of keys gone")

		operate(t, s.Process, "Stock,Make,Price\nSTAYS,Kia,9000\n", "inventory", "import", "--tenant", p.tenant, "--replace", "-")
		servesStocks(t, s.agent(p.tenant), "STAYS")
		late := s.agent(p.tenant).refuse(t, "aap_lead_submit", visit("late", "test_drive", slot(t, 4)))
		if late.Code != "VEHICLE_UNAVAILABLE" {
			t.Errorf("a test drive of a vehicle that is gone: %s, want VEHICLE_UNAVAILABLE", late.Code)
		}
		s.forgetKeys(t)
		p.kept(t, s, "keys forgotten and the vehicle gone")

		s.forgetKeys(t)
		all := len(p.leads)
		for i, want := range []struct{ Leads, Restored, Kept int }{{all, all, 0}, {all, 0, all}} {
			if diff := cmp.Diff(want, s.rebuild(t)); diff != "" {
				t.Errorf("rebuild %d:\n%s", i, diff)
			}
		}
		s.emptyLog(t)
		p.replays(t, s, "rebuilt, without a log to ask")
	})
}

// emptyLog leaves nothing of the leads but the rows of their keys.
func (s *system) emptyLog(t *testing.T) {
	t.Helper()
	js, end := openJetStream(t, s.Process)
	defer end()
	stream, err := js.Stream(t.Context(), "LEADS")
	if err == nil {
		err = stream.Purge(t.Context())
	}
	if err != nil {
		t.Fatal(fmt.Errorf("empty the log: %w", err))
	}
}
