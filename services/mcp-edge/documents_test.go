package mcpedge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
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
