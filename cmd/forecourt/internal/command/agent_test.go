package command_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const lead = `{
	"customer": {"first_name": "Robin", "last_name": "Example", "email": "robin@example.com", "preferred_contact": "email"},
	"consent": {"granted_at": "2026-01-15T10:00:00-05:00", "allowed_channels": ["email"],
		"consent_text": "You may email me.", "scope": ["lead_submission"]},
	"appointment": {"appointment_type": "service"},
	"source_agent": {"name": "shopper\u001b[2J"}, "idempotency_key": "k1"}`

type leadResponse struct {
	Type string
	Data struct {
		LeadID string `json:"lead_id"`
	}
}

type leadRecord struct {
	Tenant string
	LeadID string `json:"lead_id"`
	Data   struct {
		Request struct {
			Customer struct{ Email string }
		}
	}
}

func callAndReadLeads(t *testing.T, url, nats string) {
	tail := runInBackground(t, "leads", "tail", "--tenant", "demo-toyota", nats)
	first := decode[leadResponse](t, must(t, lead, "call", "aap_lead_submit", "-", url))
	if first.Type != "lead.submit.response" || first.Data.LeadID == "" {
		t.Fatalf("response = %+v", first)
	}
	line := <-tail.lines
	fields := strings.SplitN(line, "  ", 2)
	want := "demo-toyota  " + first.Data.LeadID + "  submitted  by shopper[2J; service requested; contact by email"
	if len(fields) != 2 || fields[1] != want {
		t.Errorf("line of a new lead:\n%q, want the time and\n%q", line, want)
	}
	if code := tail.stop(); code != 0 || tail.log.String() != "" {
		t.Errorf("tail ended with %d, %q; want 0", code, tail.log)
	}

	again := runInBackground(t, "leads", "tail", "--json", nats)
	record := decode[leadRecord](t, <-again.lines)
	again.stop()
	wantRecord := leadRecord{Tenant: "demo-toyota", LeadID: first.Data.LeadID}
	wantRecord.Data.Request.Customer.Email = "robin@example.com"
	if diff := cmp.Diff(wantRecord, record); diff != "" {
		t.Errorf("leads tail --json of a lead that is there:\n%s", diff)
	}
	get := []string{"leads", "get", "--tenant", "demo-toyota", first.Data.LeadID, nats}
	if diff := cmp.Diff(wantRecord, decode[leadRecord](t, must(t, "", append(get, "--json")...))); diff != "" {
		t.Errorf("leads get --json:\n%s", diff)
	}
	if text := must(t, "", get...); !strings.Contains(text, "      email: robin@example.com\n") {
		t.Errorf("leads get says nothing of the customer:\n%s", text)
	}
	if got := run(t, "", "leads", "get", "--tenant", "honda", first.Data.LeadID, nats); got.code != 1 || got.out != "" {
		t.Errorf("the lead under another tenant: code %d, out %q", got.code, got.out)
	}

	refused := run(t, "", "call", "aap_inventory_search", `{"filters":{"price_max":"cheap"}}`, url)
	if refused.code != 1 || !strings.HasPrefix(refused.err, "forecourt: aap_inventory_search failed: SCHEMA_VALIDATION_FAILED: ") ||
		decode[struct{ Type string }](t, refused.out).Type != "aap.error" {
		t.Errorf("a refusal: %+v", refused)
	}
	if got := run(t, "", "call", "aap_no_such_tool", url); got.code != 1 || got.out != "" || strings.Count(got.err, "\n") != 1 {
		t.Errorf("an unknown tool: %+v", got)
	}
	if text := must(t, "", "call", "aap_dealer_information", url); !strings.HasPrefix(text, "{\n  \"type\": \"dealer.information.response\",\n") {
		t.Errorf("dealer information is not printed as it came:\n%s", text)
	}
}
