package e2e

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
)

// outcome is the data of a lead.submit.response.
type outcome struct {
	LeadID      string       `json:"lead_id"`
	Status      string       `json:"status"`
	Appointment *appointment `json:"appointment"`
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

// with is arguments with some members more, or others; nil removes one.
func with(arguments, change map[string]any) map[string]any {
	arguments = maps.Clone(arguments)
	maps.Copy(arguments, change)
	maps.DeleteFunc(arguments, func(_ string, v any) bool { return v == nil })
	return arguments
}

// leadOf is the id of the lead that a result is about.
func leadOf(t *testing.T, result toolResult) string {
	t.Helper()
	id, err := leadID(result)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// atOnce submits leads at the same time and returns the results in the same order.
func atOnce(t *testing.T, a *agent, leads []map[string]any) []toolResult {
	t.Helper()
	results := make([]toolResult, len(leads))
	var group errgroup.Group
	for i, lead := range leads {
		group.Go(func() (err error) {
			results[i], err = a.try("aap_lead_submit", lead)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return results
}

func TestLead(t *testing.T) {
	onEachSetUp(t, func(t *testing.T, s *system) {
		for name, test := range map[string]func(*testing.T, *system){
			"64 at once are one answer and one event":             leadAtOnce,
			"one slot is confirmed to one of many buyers":         slotForMany,
			"a caller that leaves does not stop it":               callerLeaves,
			"tail shows it live, get shows it whole":              tailAndGet,
			"a refusal names every problem and how to correct it": refusals,
			"other times are offered for a slot that is taken":    slotTaken,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, s)
			})
		}
	})
}

func leadAtOnce(t *testing.T, s *system) {
	const tenant = "at-once"
	a := addDealership(t, s.Process, tenant)
	lead := leadArguments("at-once")
	same := make([]map[string]any, 64)
	for i := range same {
		same[i] = lead
	}
	results := atOnce(t, a, same)
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
	once := map[string]int{leadOf(t, results[0]): 1}
	if diff := cmp.Diff(once, leadEventsOf(t, s.Process, tenant)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}

	for _, revision := range []string{current, compat} {
		a.revision = revision
		again := a.call(t, "aap_lead_submit", with(lead, map[string]any{"submitted_at": "2026-11-30T12:00:00Z"})) // agents renew it
		if diff := cmp.Diff(string(results[0].StructuredContent), string(again.StructuredContent)); diff != "" || !replayed(t, again) {
			t.Errorf("%s: replayed = %t, diff:\n%s", revision, replayed(t, again), diff)
		}
		got := a.refuse(t, "aap_lead_submit", with(lead, map[string]any{"message": "Something else."}))
		if got.Code != "IDEMPOTENCY_CONFLICT" || got.Retryable {
			t.Errorf("%s: another payload under the key: %+v, want IDEMPOTENCY_CONFLICT", revision, got)
		}
	}
	if diff := cmp.Diff(once, leadEventsOf(t, s.Process, tenant)); diff != "" {
		t.Errorf("events by lead after a conflict:\n%s", diff)
	}

	other := a.call(t, "aap_lead_submit", with(lead, map[string]any{"source_agent": map[string]any{"name": "another"}}))
	if replayed(t, other) {
		t.Errorf("another caller is answered as the first: %s", other.StructuredContent)
	}
	once[leadOf(t, other)] = 1
	if diff := cmp.Diff(once, leadEventsOf(t, s.Process, tenant)); diff != "" || len(once) != 2 {
		t.Errorf("events by lead of two callers:\n%s", diff)
	}
}

func refusals(t *testing.T, s *system) {
	const tenant = "refusals"
	a := addDealership(t, s.Process, tenant)
	customer := with(leadArguments("")["customer"].(map[string]any), map[string]any{"preferred_contact": "phone", "phone": "+12025550143"})
	consent := with(leadArguments("")["consent"].(map[string]any), map[string]any{"scope": []string{"marketing"}})
	tradeIn := map[string]any{"condition": "cpo"}
	for name, c := range map[string]struct {
		change map[string]any
		code   string
		// places are what is wrong, and corrections a word of how to correct each.
		places, corrections []string
	}{
		"channel without consent": {
			map[string]any{"customer": customer}, "CONTACT_CONSENT_REQUIRED",
			[]string{"/customer/preferred_contact"}, []string{"consent.allowed_channels"},
		},
		"consent for something else": {
			map[string]any{"consent": consent}, "INVALID_CONSENT", []string{"/consent/scope/0"}, []string{"lead_submission"},
		},
		"condition of a listing": {
			map[string]any{"trade_in": tradeIn}, "INVALID_CONDITION", []string{"/trade_in/condition"}, []string{"excellent"},
		},
		"all of them, and a key that is missing": {
			map[string]any{"customer": customer, "consent": consent, "trade_in": tradeIn, "idempotency_key": nil},
			"SCHEMA_VALIDATION_FAILED",
			[]string{"/idempotency_key", "/customer/preferred_contact", "/consent/scope/0", "/trade_in/condition"},
			[]string{"idempotency_key", "consent.allowed_channels", "lead_submission", "excellent"},
		},
	} {
		for _, revision := range []string{current, compat} {
			a.revision = revision
			got := a.refuse(t, "aap_lead_submit", with(leadArguments(name), c.change))
			found := map[string]string{}
			for _, e := range got.Details.Errors {
				found[e.InstanceLocation] = e.Correction
			}
			for i, place := range c.places {
				if !strings.Contains(found[place], c.corrections[i]) {
					t.Errorf("%s: the correction of %s is %q, want one with %s", name, place, found[place], c.corrections[i])
				}
			}
			if got.Code != c.code || got.Retryable || len(got.Details.Errors) != len(c.places) {
				t.Errorf("%s: %+v; want %s", name, got, c.code)
			}
		}
	}
	if diff := cmp.Diff(map[string]int{}, leadEventsOf(t, s.Process, tenant)); diff != "" {
		t.Errorf("events of refused leads:\n%s", diff)
	}
}
