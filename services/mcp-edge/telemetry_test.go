package mcpedge_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestR_TEL_OneLinePerCallWithoutArguments(t *testing.T) {
	w := newWorld(t)
	w.leads.answer(outcomes{replayed: true})
	w.call("alpha", "aap_lead_submit", validLead, "X-Correlation-ID", "c-1")
	body := legacy("tools/call", `"name":"aap_inventory_search"`, `"arguments":{"type":"inventory.search.request","sort":1}`)
	w.post("alpha", body, append([]string{"X-Correlation-ID", "c-2"}, legacyHeader...)...)
	var got []map[string]any
	for _, line := range w.log.lines("call") {
		delete(line, "time")
		got = append(got, line)
	}
	want := []map[string]any{
		{"level": "INFO", "msg": "call", "correlation_id": "c-1", "binding": "mcp", "mcp_revision": "2026-07-28", "aap_version": "3.0.0",
			"tenant": "alpha", "skill": "lead.submit", "outcome": "OK", "latency_ms": 0.0, "replayed": true},
		{"level": "INFO", "msg": "call", "correlation_id": "c-2", "binding": "mcp", "mcp_revision": "2025-11-25", "aap_version": "3.0.0",
			"tenant": "alpha", "skill": "inventory.search", "outcome": "SCHEMA_VALIDATION_FAILED", "latency_ms": 0.0, "replayed": false},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, value := range []string{"Okafor", "harbor-shopper", "k1"} {
		if strings.Contains(w.log.String(), value) {
			t.Errorf("the log has %q", value)
		}
	}
}

func TestR_TEL_CorrelationIDIsTakenOverWhenSafe(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		sent  string
		taken bool
	}{
		"safe":          {"Az09._:-", true},
		"128 long":      {strings.Repeat("a", 128), true},
		"129 long":      {strings.Repeat("a", 129), false},
		"absent":        {"", false},
		"space":         {"a b", false},
		"quote":         {`a"b`, false},
		"outside ASCII": {"é", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.call("alpha", "aap_dealer_information", `{"type":"dealer.information.request"}`, "X-Correlation-ID", tc.sent)
			id := got.header.Get("X-Correlation-ID")
			meta := got.result()["_meta"].(map[string]any)["autoagentprotocol.org/aap"].(map[string]any)
			if (id == tc.sent) != tc.taken || id == "" || meta["correlation_id"] != id {
				t.Errorf("header %q, _meta %q; sent %q", id, meta["correlation_id"], tc.sent)
			}
		})
	}
	if id := w.post("alpha", "x").header.Get("X-Correlation-ID"); id == "" {
		t.Error("a refusal has no correlation id")
	}
}
