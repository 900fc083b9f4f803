package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

// dealership is one that a test changes while the system runs.
type dealership struct {
	*agent
	process  *binary.Process
	document map[string]any
}

func (d *dealership) apply(t *testing.T) {
	t.Helper()
	text, err := json.Marshal(d.document)
	if err != nil {
		t.Fatal(err)
	}
	operate(t, d.process, string(text), "tenant", "apply", "-")
}

func (d *dealership) importStock(t *testing.T) {
	t.Helper()
	operate(t, d.process, "Stock,Make,Model,Status,SellingPrice\nL1,Honda,Civic,Available,21000\nL2,Honda,Accord,Available,29000\n",
		"inventory", "import", "--tenant", "live", "-")
}

// finds returns how many vehicles match filters, and -1 for a search that is refused.
func (d *dealership) finds(t *testing.T, filters map[string]any) int {
	t.Helper()
	result := d.call(t, "aap_inventory_search", searchArguments(filters, ""))
	if result.IsError {
		return -1
	}
	return decode[struct{ Data page }](t, result.StructuredContent).Data.Total
}

var (
	oakland    = map[string]any{"latitude": 37.8044, "longitude": -122.2712}
	losAngeles = map[string]any{"latitude": 34.0522, "longitude": -118.2437}
	nearby     = map[string]any{"geo": map[string]any{"latitude": 37.8, "longitude": -122.27, "radius_mi": 5}}
)

func TestTenant_ChangedWhileRunning(t *testing.T) {
	t.Parallel()
	p := startDemo(t, t.TempDir())
	rooftop := map[string]any{"name": "Main", "geo": oakland}
	d := &dealership{newAgent(p.TenantURL("live"), current), p, map[string]any{
		"id": "live", "name": "Live Motors", "rooftops": []any{rooftop},
	}}
	d.apply(t)
	d.importStock(t)
	eventually(t, "the imported stock is served", func() bool { return d.finds(t, nearby) == 2 })

	t.Run("profile, hours and zone", func(t *testing.T) {
		rooftop["timezone"] = "America/Los_Angeles"
		rooftop["schedules"] = []any{map[string]any{"name": "sales", "value": map[string]any{
			"monday": map[string]any{"open": "09:00", "close": "19:00"}, "sunday": nil,
		}}}
		d.document["name"], d.document["welcome_message"] = "Live Motors of Oakland", "Welcome."
		d.apply(t)
		want := map[string]any{"name": "Live Motors of Oakland", "welcome_message": "Welcome.", "rooftops": []any{rooftop}}
		eventually(t, "the profile is the new one", func() bool {
			return cmp.Equal(want, must[map[string]any](t, d.agent, "aap_dealer_information", map[string]any{"type": "dealer.information.request"}))
		})
	})
	t.Run("place", func(t *testing.T) {
		rooftop["geo"] = losAngeles
		d.apply(t)
		eventually(t, "nothing is near", func() bool { return d.finds(t, nearby) == 0 })
		rooftop["geo"] = oakland
		d.apply(t)
		eventually(t, "all is near again", func() bool { return d.finds(t, nearby) == 2 })
	})
	t.Run("filters", func(t *testing.T) { d.switchFilters(t) })
	t.Run("skills", func(t *testing.T) {
		d.document["skills"] = []string{"inventory.search"}
		d.apply(t)
		eventually(t, "one tool is left", func() bool { return cmp.Equal([]string{"aap_inventory_search"}, d.toolNames(t)) })
		delete(d.document, "skills")
		d.apply(t)
		eventually(t, "all tools are back", func() bool { return cmp.Equal(allTools, d.toolNames(t)) })
	})
	t.Run("origins", func(t *testing.T) {
		const origin = "https://live-motors.example"
		if got := d.status(t, http.MethodPost, d.url, origin); got != http.StatusForbidden {
			t.Errorf("a page that may not call: status %d, want 403", got)
		}
		d.document["origins"] = []string{origin}
		d.apply(t)
		eventually(t, "the page may call", func() bool { return d.status(t, http.MethodPost, d.url, origin) != http.StatusForbidden })
	})
	t.Run("feed", func(t *testing.T) {
		if got := d.finds(t, map[string]any{"price_min": 1}); got != 0 {
			t.Errorf("%d vehicles have a price that nobody vouched for", got)
		}
		d.document["feed"] = map[string]any{"price_includes_fees": true}
		d.apply(t)
		d.importStock(t)
		eventually(t, "selling prices are prices", func() bool { return d.finds(t, map[string]any{"price_min": 25000}) == 1 })
	})
	t.Run("deleted and applied again", func(t *testing.T) { d.deleteAndReturn(t) })
}

func (d *dealership) switchFilters(t *testing.T) {
	d.document["disabled_filters"] = []string{"geo", "price_max"}
	d.apply(t)
	eventually(t, "geo is refused", func() bool { return d.finds(t, nearby) < 0 })
	used := map[string]any{"geo": nearby["geo"], "price_max": 30000, "make": []string{"Honda"}}
	for tool, arguments := range map[string]map[string]any{
		"aap_inventory_search": searchArguments(used, ""),
		"aap_inventory_facets": {"type": "inventory.facets.request", "filters": used},
	} {
		got := d.refuse(t, tool, arguments)
		var places []string
		for _, e := range got.Details.Errors {
			places = append(places, e.InstanceLocation)
			if !strings.Contains(e.Correction, "make, model, ") || strings.Contains(e.Correction, "price_max") {
				t.Errorf("correction %q does not name the filters that work", e.Correction)
			}
		}
		if diff := cmp.Diff([]string{"/filters/price_max", "/filters/geo"}, places); diff != "" || got.Code != "UNSUPPORTED_FILTER" {
			t.Errorf("%s: code %s, problems:\n%s", tool, got.Code, diff)
		}
	}
	if got := d.finds(t, map[string]any{"make": []string{"Honda"}}); got != 2 {
		t.Errorf("a filter that works finds %d, want 2", got)
	}
	if filters, geo := d.capabilities(t); slices.Contains(filters, "price_max") || !slices.Contains(filters, "price_min") || geo {
		t.Errorf("the catalog says that these work: %v, geo %t", filters, geo)
	}
	delete(d.document, "disabled_filters")
	d.apply(t)
	eventually(t, "geo works again", func() bool { return d.finds(t, nearby) == 2 })
	if filters, geo := d.capabilities(t); !slices.Contains(filters, "price_max") || !geo {
		t.Errorf("the catalog says that these work: %v, geo %t", filters, geo)
	}
}

func (d *dealership) deleteAndReturn(t *testing.T) {
	first := must[outcome](t, d.agent, "aap_lead_submit", leadArguments("before"))
	operate(t, d.process, "", "tenant", "delete", "live")
	eventually(t, "the endpoint is gone", func() bool { return d.status(t, http.MethodPost, d.url, "") == http.StatusNotFound })
	if got := d.status(t, http.MethodGet, d.url+".json", ""); got != http.StatusNotFound {
		t.Errorf("mcp.json: status %d, want 404", got)
	}
	if _, _, code := operator(t, d.process, "", "tenant", "delete", "live"); code == 0 {
		t.Error("a dealership was deleted twice")
	}
	operate(t, d.process, "", "leads", "get", "--tenant", "live", first.LeadID)
	if _, err := d.try("aap_lead_submit", leadArguments("while away")); err == nil {
		t.Error("a deleted dealership took a lead")
	}

	d.apply(t)
	eventually(t, "the endpoint is back", func() bool { return d.status(t, http.MethodPost, d.url, "") != http.StatusNotFound })
	if got := d.finds(t, map[string]any{}); got != 2 {
		t.Errorf("%d vehicles are back, want 2", got)
	}
	again := d.call(t, "aap_lead_submit", leadArguments("before"))
	if got := decode[struct{ Data outcome }](t, again.StructuredContent).Data; got.LeadID != first.LeadID || !replayed(t, again) {
		t.Errorf("the lead of before answers with %s", again.StructuredContent)
	}
	if diff := cmp.Diff(map[string]int{first.LeadID: 1}, leadEvents(t, d.process)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}

// status sends an empty JSON object, as a page of an origin unless that is "".
func (d *dealership) status(t *testing.T, method, url, origin string) int {
	t.Helper()
	status, _ := d.send(t, method, url, origin)
	return status
}

func (d *dealership) send(t *testing.T, method, url, origin string) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if origin != "" {
		req.Header.Set("Origin", origin)
	}
	resp, err := d.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, text
}

// capabilities reads from mcp.json which filters work, and whether searches by distance do.
func (d *dealership) capabilities(t *testing.T) (filters []string, geo bool) {
	t.Helper()
	_, text := d.send(t, http.MethodGet, d.url+".json", "")
	for _, tool := range decode[struct {
		Tools []struct {
			Meta map[string]struct {
				Capabilities *struct {
					Filters []string
					Geo     map[string]string
				}
			} `json:"_meta"`
		}
	}](t, text).Tools {
		if c := tool.Meta[aapMeta].Capabilities; c != nil {
			return c.Filters, c.Geo != nil
		}
	}
	t.Fatalf("no capabilities in %s", text)
	return nil, false
}
