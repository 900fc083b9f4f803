package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readmeCall is the search that README.md tells people to send: its path and its body.
var readmeCall = regexp.MustCompile(`(?s)\$ curl -s http://127\.0\.0\.1:8080(\S+) -H 'Content-Type: application/json' -d '(.*?)'\n`)

// page is the data of an inventory.search.response.
type page struct {
	Total      int    `json:"total"`
	Limit      int    `json:"limit"`
	NextCursor string `json:"next_cursor"`
	Vehicles   []listing
}

// listing is what the suite reads of a vehicle.
type listing struct {
	VehicleID string `json:"vehicle_id"`
	DealerID  string `json:"dealer_id"`
	VIN       string `json:"vin"`
	Stock     string `json:"stock"`
	Rooftop   string `json:"rooftop"`
	Status    string `json:"status"`
	Price     int    `json:"price"`
}

func searchArguments(filters map[string]any, cursor string) map[string]any {
	pagination := map[string]any{"limit": 20}
	if cursor != "" {
		pagination["cursor"] = cursor
	}
	return map[string]any{
		"type": "inventory.search.request", "filters": filters, "pagination": pagination,
		"sort": map[string]any{"field": "price", "order": "asc"},
	}
}

// walk returns every vehicle that matches, page after page.
func walk(t *testing.T, a *agent, filters map[string]any) []listing {
	t.Helper()
	var all []listing
	for cursor := ""; ; {
		p := must[page](t, a, "aap_inventory_search", searchArguments(filters, cursor))
		all = append(all, p.Vehicles...)
		if len(all) > p.Total {
			t.Fatalf("%d vehicles of a total of %d", len(all), p.Total)
		}
		if cursor = p.NextCursor; cursor == "" {
			if len(all) != p.Total {
				t.Errorf("%d vehicles on all pages, total says %d", len(all), p.Total)
			}
			return all
		}
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	a := newAgent(startDemo(t, t.TempDir()).Endpoints["mcp"], current)
	t.Run("as the readme says it", func(t *testing.T) { searchAsTheReadmeSays(t, a) })
	t.Run("every problem in one error", func(t *testing.T) { everyProblemInOneError(t, a) })
	t.Run("stock of both rooftops", func(t *testing.T) { stockOfBothRooftops(t, a) })
}

func searchAsTheReadmeSays(t *testing.T, a *agent) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	call := readmeCall.FindSubmatch(text)
	if call == nil || !strings.HasSuffix(a.url, string(call[1])) {
		t.Fatalf("README.md has no call of %s in the form that is expected here", a.url)
	}
	answer, err := a.post(call[2])
	if err != nil {
		t.Fatal(err)
	}
	if answer.Status != http.StatusOK || answer.Error != nil {
		t.Fatalf("status %d, error %+v", answer.Status, answer.Error)
	}
	got := decode[toolResult](t, answer.Result)
	if got.ResultType != "complete" || got.IsError || len(got.Content) != 1 {
		t.Fatalf("result = %s", answer.Result)
	}
	if diff := cmp.Diff(string(got.StructuredContent), got.Content[0].Text); diff != "" {
		t.Errorf("structuredContent and text disagree:\n%s", diff)
	}
	first := decode[struct{ Data page }](t, got.StructuredContent).Data
	if n := len(first.Vehicles); n != 20 || first.Total < 30 || first.NextCursor == "" {
		t.Errorf("%d vehicles of %d, next_cursor %q; want a full page and more to come", n, first.Total, first.NextCursor)
	}

	all := walk(t, a, map[string]any{"price_max": 35000, "status": []string{"available"}})
	if diff := cmp.Diff(first.Vehicles, all[:20]); diff != "" {
		t.Errorf("the walk starts with another page:\n%s", diff)
	}
	seen := map[string]bool{}
	for _, v := range all {
		if v.Price <= 0 || v.Price > 35000 || v.Status != "available" {
			t.Errorf("%s does not match: %+v", v.VehicleID, v)
		}
		if seen[v.VehicleID] {
			t.Errorf("%s comes twice", v.VehicleID)
		}
		seen[v.VehicleID] = true
	}
	if !slices.IsSortedFunc(all, func(a, b listing) int { return a.Price - b.Price }) {
		t.Error("prices do not ascend")
	}
}

func everyProblemInOneError(t *testing.T, a *agent) {
	got := a.refuse(t, "aap_inventory_search", json.RawMessage(
		`{"type":"inventory.search.request","filters":{"price_max":"cheap","wheels":4}}`))
	places := map[string]bool{}
	for _, e := range got.Details.Errors {
		places[e.InstanceLocation] = true
		if e.Correction == "" {
			t.Errorf("no correction for %s", e.InstanceLocation)
		}
	}
	if diff := cmp.Diff(map[string]bool{"/filters/price_max": true, "/filters/wheels": true}, places); diff != "" {
		t.Errorf("problems:\n%s", diff)
	}
}

func stockOfBothRooftops(t *testing.T, a *agent) {
	rooftops := map[string]int{}
	for _, v := range walk(t, a, map[string]any{}) {
		rooftops[v.Rooftop]++
	}
	if len(rooftops) != 2 || rooftops["Demo Toyota San Francisco"] < 80 || rooftops["Demo Toyota Oakland"] < 80 {
		t.Errorf("vehicles by rooftop = %v", rooftops)
	}
}
