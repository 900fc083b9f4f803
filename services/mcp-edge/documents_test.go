package mcpedge_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

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

func TestDocuments_FollowTheTenant(t *testing.T) {
	w := newWorld(t)
	const path = "/aap/v3.0/alpha/mcp.json"
	before := w.get(http.MethodGet, path)
	changed := &tenant.Document{
		ID: "alpha", Name: "Alpha", Skills: []contract.SkillID{contract.InventorySearch}, DisabledFilters: []string{"geo"},
	}
	w.put(changed)
	w.eventually("the catalog changes", func() bool { return w.get(http.MethodGet, path).raw != before.raw })
	after := w.get(http.MethodGet, path, "If-None-Match", before.header.Get("ETag"))
	tools, _ := after.body["tools"].([]any)
	if after.status != 200 || len(tools) != 1 {
		t.Fatalf("status %d, %d tools; want the new document with one tool", after.status, len(tools))
	}
	meta := tools[0].(map[string]any)["_meta"].(map[string]any)[contract.MetaNamespace].(map[string]any)
	capabilities := meta["capabilities"].(map[string]any)
	if _, ok := capabilities["geo"]; ok || slices.Contains(capabilities["filters"].([]any), any("geo")) {
		t.Errorf("geo is switched off, and the capabilities are %v", capabilities)
	}
	if diff := cmp.Diff(after.body["tools"], w.post("alpha", current("tools/list")).result()["tools"]); diff != "" {
		t.Errorf("tools/list differs: %s", diff)
	}

	if err := w.tenants.Delete(t.Context(), "alpha"); err != nil {
		t.Fatal(err)
	}
	w.eventually("the catalog goes", func() bool { return w.get(http.MethodGet, path).status == 404 })
	got, never := w.post("alpha", current("tools/list")), w.post("nobody", current("tools/list"))
	if got.status != 404 || got.raw != never.raw {
		t.Errorf("status %d, %s; want what a tenant that never was gets: %s", got.status, got.raw, never.raw)
	}
	w.put(changed)
	w.eventually("the catalog is back", func() bool { return w.get(http.MethodGet, path).raw == after.raw })
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
