package mcpedge_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	mcpedge "forecourt.internal/services/mcp-edge"
)

var serverInfo = map[string]any{"name": "forecourt", "title": "Forecourt", "version": "0.1.0"}

func initialize(revision string) string {
	return legacy("initialize", `"protocolVersion":"`+revision+`"`, `"capabilities":{}`, `"clientInfo":{"name":"x","version":"1"}`)
}

func TestR_DISC(t *testing.T) {
	w := newWorld(t)
	got := w.post("alpha", current("server/discover")).result()
	if text, _ := got["instructions"].(string); !strings.Contains(text, "idempotency_key") {
		t.Errorf("instructions = %q", text)
	}
	delete(got, "instructions")
	want := map[string]any{
		"resultType": "complete", "supportedVersions": []any{"2026-07-28", "2025-11-25"},
		"capabilities": map[string]any{"tools": map[string]any{}}, "ttlMs": 300000.0, "cacheScope": "public",
		"_meta": map[string]any{"io.modelcontextprotocol/serverInfo": serverInfo},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestR_LEG_InitializeAnswersWithTheLegacyRevision(t *testing.T) {
	w := newWorld(t)
	for _, offered := range []string{"2025-11-25", "2024-11-05", "2026-07-28", "2099-01-01", "x"} {
		t.Run(offered, func(t *testing.T) {
			reply := w.post("alpha", initialize(offered), "Mcp-Session-Id", "s")
			got := reply.result()
			delete(got, "instructions")
			want := map[string]any{
				"protocolVersion": "2025-11-25", "capabilities": map[string]any{"tools": map[string]any{}}, "serverInfo": serverInfo,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if id := reply.header.Get("Mcp-Session-Id"); id != "" {
				t.Errorf("a session id was issued: %q", id)
			}
		})
	}
}

func TestR_LEG_InitializeNeedsItsFields(t *testing.T) {
	w := newWorld(t)
	for name, params := range map[string][]string{
		"no version":              {`"capabilities":{}`, `"clientInfo":{"name":"x","version":"1"}`},
		"version is a number":     {`"protocolVersion":1`, `"capabilities":{}`, `"clientInfo":{"name":"x","version":"1"}`},
		"no capabilities":         {`"protocolVersion":"2025-11-25"`, `"clientInfo":{"name":"x","version":"1"}`},
		"no client info":          {`"protocolVersion":"2025-11-25"`, `"capabilities":{}`},
		"client info is a string": {`"protocolVersion":"2025-11-25"`, `"capabilities":{}`, `"clientInfo":"x"`},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(outcome{200, -32602, 1.0}, outcomeOf(w.post("alpha", legacy("initialize", params...)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_LEG_Ping(t *testing.T) {
	w := newWorld(t)
	for _, body := range []string{legacy("ping"), `{"jsonrpc":"2.0","id":1,"method":"ping"}`} {
		if got := w.post("alpha", body, legacyHeader...).raw; got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
			t.Errorf("answer = %s", got)
		}
	}
}

func TestR_LEG_ResultsHaveNoResultType(t *testing.T) {
	w := newWorld(t)
	for name, body := range map[string]string{
		"initialize": initialize("2025-11-25"), "ping": legacy("ping"), "tools/list": legacy("tools/list"),
		"tools/call": legacy("tools/call", `"name":"aap_dealer_information"`, `"arguments":{"type":"dealer.information.request"}`),
	} {
		t.Run(name, func(t *testing.T) {
			got := w.post("alpha", body, legacyHeader...)
			if _, ok := got.result()["resultType"]; ok || got.result() == nil {
				t.Errorf("answer = %.200s", got.raw)
			}
		})
	}
}

func TestR_ERR_MethodsBelongToTheirRevision(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{"initialize", "ping", "logging/setLevel", "resources/list", "prompts/list", "subscriptions/listen", "notifications/initialized", "Tools/List"} {
		t.Run("current "+method, func(t *testing.T) {
			if diff := cmp.Diff(outcome{404, -32601, 1.0}, outcomeOf(w.post("alpha", current(method)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, method := range []string{"server/discover", "resources/list", "notifications/initialized"} {
		t.Run("legacy "+method, func(t *testing.T) {
			if diff := cmp.Diff(outcome{200, -32601, 1.0}, outcomeOf(w.post("alpha", legacy(method), legacyHeader...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// toolNames returns the names in a tools/list result.
func toolNames(r reply) []string {
	list, _ := r.result()["tools"].([]any)
	names := []string{}
	for _, tool := range list {
		names = append(names, tool.(map[string]any)["name"].(string))
	}
	return names
}

func TestR_LIST_OnlyEnabledToolsInFixedOrder(t *testing.T) {
	w := newWorld(t)
	for id, want := range map[string][]string{
		"alpha": {"aap_dealer_information", "aap_inventory_facets", "aap_inventory_search", "aap_inventory_vehicle", "aap_lead_submit"},
		"beta":  {"aap_inventory_search", "aap_inventory_vehicle"},
	} {
		t.Run(id, func(t *testing.T) {
			for range 2 {
				if diff := cmp.Diff(want, toolNames(w.post(id, current("tools/list")))); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(want, toolNames(w.post(id, legacy("tools/list"), legacyHeader...))); diff != "" {
				t.Errorf("legacy: %s", diff)
			}
		})
	}
}

func TestR_LIST_Members(t *testing.T) {
	w := newWorld(t)
	got := w.post("alpha", current("tools/list")).result()
	delete(got, "tools")
	want := map[string]any{
		"resultType": "complete", "ttlMs": 300000.0, "cacheScope": "public",
		"_meta": map[string]any{"io.modelcontextprotocol/serverInfo": serverInfo},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestR_LIST_NoCursorIsKnown(t *testing.T) {
	w := newWorld(t)
	for _, cursor := range []string{`"x"`, `""`, `1`, `null`} {
		t.Run(cursor, func(t *testing.T) {
			if diff := cmp.Diff(outcome{200, -32602, 1.0}, outcomeOf(w.post("alpha", current("tools/list", `"cursor":`+cursor)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_TOOL_CatalogIsTheContracts(t *testing.T) {
	w := newWorld(t)
	generator, err := contract.NewGenerator(0)
	if err != nil {
		t.Fatal(err)
	}
	tools := generator.Tools(nil)
	raw, err := json.Marshal(tools)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.post("alpha", current("tools/list")).raw; !strings.Contains(got, `"tools":`+string(raw)) {
		t.Error("tools/list is not the generated catalog, byte for byte")
	}
	if text := tools[4].Description; !strings.Contains(text, "72 hours") {
		t.Errorf("lead.submit does not state its retention: %q", text)
	}
}

func TestR_IDEM_RetentionBelowADayIsRefused(t *testing.T) {
	if _, err := mcpedge.New(mcpedge.Config{Retention: 23 * time.Hour}); err == nil {
		t.Error("an edge that advertises 23 hours was built")
	}
}
