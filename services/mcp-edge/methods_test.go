package mcpedge_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
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
	generator, err := contract.NewGenerator()
	if err != nil {
		t.Fatal(err)
	}
	tools, err := generator.Tools(contract.CatalogOptions{})
	if err != nil {
		t.Fatal(err)
	}
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

func TestDocuments_AreCachedByTheirContent(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/aap/v3.0/alpha/mcp.json", "/aap/v3.0/schemas/vehicle.schema.json"} {
		t.Run(path, func(t *testing.T) {
			got := w.get(http.MethodGet, path)
			etag := got.header.Get("ETag")
			if got.status != 200 || !strings.HasPrefix(etag, `"`) || !strings.HasPrefix(got.header.Get("Cache-Control"), "public, max-age=") {
				t.Fatalf("status %d, headers %v", got.status, got.header)
			}
			for match, want := range map[string]int{etag: 304, `"other", ` + etag: 304, "W/" + etag: 304, "*": 304, `"other"`: 200} {
				if again := w.get(http.MethodGet, path, "If-None-Match", match); again.status != want || (want == 304) != (again.raw == "") {
					t.Errorf("If-None-Match %s: status %d, want %d", match, again.status, want)
				}
			}
			head := w.get(http.MethodHead, path)
			if head.status != 200 || head.raw != "" || head.header.Get("ETag") != etag || head.header.Get("Content-Length") == "0" {
				t.Errorf("HEAD: status %d, headers %v", head.status, head.header)
			}
			if post := w.get(http.MethodPost, path); post.status != 405 || post.header.Get("Allow") != "GET, HEAD" {
				t.Errorf("POST: status %d, Allow %q", post.status, post.header.Get("Allow"))
			}
		})
	}
	if a, b := w.get(http.MethodGet, "/aap/v3.0/alpha/mcp.json"), w.get(http.MethodGet, "/aap/v3.0/beta/mcp.json"); a.header.Get("ETag") == b.header.Get("ETag") {
		t.Error("different catalogs have one ETag")
	}
}

func TestDocuments_CatalogHasTheToolsOfToolsList(t *testing.T) {
	w := newWorld(t)
	got := w.get(http.MethodGet, "/aap/v3.0/beta/mcp.json").body
	want := map[string]any{"aap_version": "3.0.0", "tools": w.post("beta", current("tools/list")).result()["tools"]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDocuments_EverySchemaFileIsPublished(t *testing.T) {
	w := newWorld(t)
	for _, name := range contract.SchemaFiles() {
		want, _ := contract.SchemaFile(name)
		if got := w.get(http.MethodGet, "/aap/v3.0/schemas/"+name); got.status != 200 || got.raw != string(want) {
			t.Errorf("%s: status %d", name, got.status)
		}
	}
}

func TestDocuments_UnknownPathsAre404(t *testing.T) {
	w := newWorld(t)
	paths := []string{"/", "/mcp", "/aap/v3.0/", "/aap/v3.0/alpha", "/aap/v3.0/alpha/", "/aap/v3.0/alpha/other", "/aap/v3.0/nobody/mcp.json",
		"/aap/v3.0/schemas/other.json", "/aap/v3.0/schemas/..%2fskill.go", "/aap/v3.0/alpha/vehicle.schema.json", "/aap/v2.0/alpha/mcp", "/aap/v3.0/alpha/mcp/x"}
	for _, path := range paths {
		if got := w.get(http.MethodGet, path); got.status != 404 {
			t.Errorf("GET %s: status %d, want 404", path, got.status)
		}
	}
	if got := w.get(http.MethodGet, "/aap/v3.0/schemas/mcp"); got.status != 405 {
		t.Errorf("the MCP path of a tenant called schemas: status %d, want 405", got.status)
	}
}
