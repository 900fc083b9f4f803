package e2e

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt.internal/test/internal/binary"
)

// canary is in every text that a customer or their agent chooses.
const canary = "zqxcanary"

// canaryLead is a lead that is taken.
func canaryLead(key string) map[string]any {
	return map[string]any{
		"type": "lead.submit.request",
		"customer": map[string]any{
			"first_name": canary, "last_name": canary, "email": canary + "@mail.example", "phone": "+12025550177", "preferred_contact": "any",
			"address": map[string]any{"address_line_1": canary, "city": canary, "state": canary, "zip": canary, "country": canary},
		},
		"consent": map[string]any{
			"granted_at": "2026-01-15T10:00:00-05:00", "allowed_channels": []string{"email", "phone"}, "consent_text": canary,
			"scope": []string{"lead_submission"},
		},
		"source_agent":        map[string]any{"name": canary, "url": "https://" + canary + ".example"},
		"idempotency_key":     canary + key,
		"message":             canary,
		"vehicle_of_interest": map[string]any{"description": canary, "notes": canary, "stock": canary, "make": canary},
		"trade_in":            map[string]any{"description": canary, "notes": canary, "condition": "good", "model": canary},
		"appointment":         map[string]any{"appointment_type": "sales", "notes": canary},
	}
}

// canaryFaults are values of which each makes a lead wrong, by where they are.
var canaryFaults = map[string]any{
	"type": canary, "message": strings.Repeat(canary, 1000), "idempotency_key": strings.Repeat(canary, 100), "submitted_at": canary,
	"customer/first_name": []string{canary}, "customer/email": canary, "customer/phone": canary, "customer/preferred_contact": canary,
	"customer/address": canary, "consent/granted_at": canary, "consent/expires_at": canary, "consent/consent_text": []string{canary},
	"consent/allowed_channels": []string{canary}, "consent/scope": []string{canary}, "source_agent/url": canary,
	"vehicle_of_interest/vin": canary, "vehicle_of_interest/year": canary, "vehicle_of_interest/condition": canary,
	"trade_in/condition": canary, "trade_in/mileage": canary, "appointment/appointment_type": canary,
	"appointment/appointment_at": canary, "appointment/duration_minutes": canary, "appointment/notes": strings.Repeat(canary, 500),
}

// spoiled is a lead with one value changed.
func spoiled(place string, value any) map[string]any {
	lead := canaryLead(place)
	object := lead
	parent, member, nested := strings.Cut(place, "/")
	if nested {
		object = lead[parent].(map[string]any)
	} else {
		member = parent
	}
	object[member] = value
	return lead
}

func TestLead_WhatItsCustomerSaysIsInItsEventAndNowhereElse(t *testing.T) {
	t.Parallel()
	s := external(t)
	a := addDealership(t, s.Process, "private")
	found := &leak{t: t}
	taken := func(lead map[string]any) {
		t.Helper()
		result := a.call(t, "aap_lead_submit", lead)
		if result.IsError {
			t.Fatalf("a lead was refused: %s", result.StructuredContent)
		}
		found.in("answer", string(result.StructuredContent))
	}
	refused := func(code string, lead map[string]any) {
		t.Helper()
		result := a.call(t, "aap_lead_submit", lead)
		found.in("error answer to "+code, string(result.StructuredContent)+result.Content[0].Text)
		if got := decode[fault](t, result.StructuredContent).Code; code != "" && got != code {
			t.Errorf("code %s, want %s", got, code)
		}
	}
	taken(canaryLead("1"))
	taken(canaryLead("1"))
	refused("IDEMPOTENCY_CONFLICT", with(canaryLead("1"), map[string]any{"message": canary + " again"}))
	for place, value := range canaryFaults {
		lead := spoiled(place, value)
		result := a.call(t, "aap_lead_submit", lead)
		found.in(place, string(result.StructuredContent))
		if !result.IsError {
			t.Errorf("%s is no fault: %s", place, result.StructuredContent)
		}
	}
	drive := map[string]any{"appointment_type": "test_drive", "notes": canary}
	refused("VEHICLE_NOT_FOUND", with(canaryLead("2"), map[string]any{"appointment": drive}))
	found.brokenCall(a)

	s.must(s.postgres.Kill())
	refused("INTERNAL_ERROR", canaryLead("3"))
	s.must(s.postgres.Restart())
	s.broker.kill()
	refused("INTERNAL_ERROR", canaryLead("4"))
	s.broker.start()
	for _, key := range []string{"3", "4"} {
		eventually(t, "the lead that was refused is taken", func() bool { return !a.call(t, "aap_lead_submit", canaryLead(key)).IsError })
	}
	s.forgetKeys(t)
	s.rebuild(t)

	events := 0
	for _, msg := range messages(t, s.Process, "LEADS") {
		if strings.Contains(string(msg.Data), canary) {
			events++
		}
	}
	if events != 3 {
		t.Errorf("%d events hold what the customers said, want 3", events)
	}
	found.inLogs(s)
	found.inPostgres(s)
	found.inBuckets(s.Process)
}

// leak looks for what a customer said.
type leak struct{ t *testing.T }

func (l *leak) in(where, text string) {
	l.t.Helper()
	for _, form := range []string{canary, hex.EncodeToString([]byte(canary)), base64.StdEncoding.EncodeToString([]byte(canary)), "2025550177"} {
		if i := strings.Index(text, form); i >= 0 {
			l.t.Errorf("%s: a customer's value in %.300s", where, text[max(0, i-150):])
		}
	}
}

// brokenCall sends a call that is cut off within a value, and one that is of another shape.
func (l *leak) brokenCall(a *agent) {
	l.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{
		"name": "aap_lead_submit", "arguments": canaryLead("broken"),
	}})
	if err != nil {
		l.t.Fatal(err)
	}
	for _, text := range [][]byte{body[:len(body)/2], []byte(`[` + string(body) + `]`), body} {
		answer, err := a.post(text)
		if err != nil || answer.Error == nil {
			l.t.Fatalf("a broken call is answered with %s, %v", answer.Result, err)
		}
		l.in("protocol error", answer.Error.Message)
	}
}

func (l *leak) inLogs(s *system) {
	l.t.Helper()
	l.in("log of forecourt", s.Log())
	for _, file := range []string{s.broker.log, s.postgresLog} {
		text, err := os.ReadFile(file)
		if err != nil || len(text) == 0 {
			l.t.Fatalf("%s has no log: %v", file, err)
		}
		l.in(file, string(text))
	}
	if !strings.Contains(s.Log(), `"outcome":"INTERNAL_ERROR"`) || !strings.Contains(s.Log(), "connection is lost") {
		l.t.Error("the paths that could leak were not taken")
	}
}

// inPostgres looks at every row of every table.
func (l *leak) inPostgres(s *system) {
	l.t.Helper()
	conn, err := pgx.Connect(l.t.Context(), s.postgres.DSN())
	if err != nil {
		l.t.Fatal(err)
	}
	defer conn.Close(l.t.Context())
	texts := func(sql string) []string {
		rows, err := conn.Query(l.t.Context(), sql)
		if err != nil {
			l.t.Fatal(err)
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			l.t.Fatal(err)
		}
		return all
	}
	total := 0
	for _, table := range texts(`SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
		WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`) {
		rows := texts(fmt.Sprintf("SELECT t::text FROM %s t", table))
		total += len(rows)
		l.in("table "+table, strings.Join(rows, "\n"))
	}
	if total < 3 {
		l.t.Errorf("%d rows in all tables, want those of three keys", total)
	}
}

// inBuckets looks at every message but the leads.
func (l *leak) inBuckets(p *binary.Process) {
	l.t.Helper()
	js, end := openJetStream(l.t, p)
	defer end()
	for name := range js.StreamNames(l.t.Context()).Name() {
		if name == "LEADS" {
			continue
		}
		for _, msg := range messages(l.t, p, name) {
			l.in("stream "+name, msg.Subject+fmt.Sprint(msg.Header)+string(msg.Data))
		}
	}
}
