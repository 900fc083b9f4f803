package mcpedge_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
)

func TestR_CALL_EverySkillAnswersWithItsResponse(t *testing.T) {
	w := newWorld(t)
	for tool, tc := range map[string]struct{ arguments, want string }{
		"aap_dealer_information": {`{"type":"dealer.information.request"}`, `{"type":"dealer.information.response","data":` + dealerData + `}`},
		"aap_inventory_facets":   {`{"type":"inventory.facets.request"}`, `{"type":"inventory.facets.response","data":` + emptyFacets + `}`},
		"aap_inventory_search": {`{"type":"inventory.search.request"}`,
			`{"type":"inventory.search.response","data":{"total":2,"limit":20,"vehicles":[` + listingA + `,` + listingB + `]}}`},
		"aap_inventory_vehicle": {`{"type":"inventory.vehicle.request","stock":"T1"}`, `{"type":"inventory.vehicle.response","data":` + listingA + `}`},
		"aap_lead_submit":       {validLead, leadAnswer},
	} {
		t.Run(tool, func(t *testing.T) {
			call := `{"jsonrpc":"2.0","id":1,"result":{`
			quoted, _ := json.Marshal(tc.want)
			members := `"content":[{"type":"text","text":` + string(quoted) + `}],"structuredContent":` + tc.want + `,"isError":false,"_meta":{`
			aap := `"autoagentprotocol.org/aap":{"correlation_id":"c-1"}}}}`
			server := `"io.modelcontextprotocol/serverInfo":{"name":"forecourt","title":"Forecourt","version":"0.1.0"},`

			got := w.call("alpha", tool, tc.arguments, "X-Correlation-ID", "c-1")
			if diff := cmp.Diff(call+`"resultType":"complete",`+members+server+aap, got.raw); diff != "" {
				t.Errorf("current: %s", diff)
			}
			body := legacy("tools/call", `"name":"`+tool+`"`, `"arguments":`+tc.arguments)
			got = w.post("alpha", body, append([]string{"X-Correlation-ID", "c-1"}, legacyHeader...)...)
			if diff := cmp.Diff(call+members+aap, got.raw); diff != "" {
				t.Errorf("legacy: %s", diff)
			}
		})
	}
}

func TestR_CALL_SearchIsPassedOnTyped(t *testing.T) {
	w := newWorld(t)
	ref := func(v int64) *int64 { return &v }
	f := func(v float64) *float64 { return &v }
	yes, vin, stock, query := true, "4T1DAACK5SU512044", "T5120", "blue camry"
	for name, tc := range map[string]struct {
		arguments string
		want      *inventoryv1.SearchRequest
	}{
		"nothing": {``, &inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20}},
		"page": {`"pagination":{"limit":100,"cursor":"c"},"sort":{"field":"price","order":"desc"},"privacy":{"anonymous":true}`,
			&inventoryv1.SearchRequest{Tenant: "alpha", Limit: 100, Cursor: "c", Sort: &inventoryv1.Sort{Field: "price", Descending: true}}},
		"ascending":  {`"sort":{"field":"year","order":"asc"}`, &inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20, Sort: &inventoryv1.Sort{Field: "year"}}},
		"no filters": {`"filters":{}`, &inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20, Filters: &inventoryv1.Filters{}}},
		"integers in other forms": {`"pagination":{"limit":2e1},"filters":{"price_min":20.0,"price_max":1e3,"mileage_max":1.5e1,"displacement_cc_max":-0}`,
			&inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20, Filters: &inventoryv1.Filters{
				PriceMin: ref(20), PriceMax: ref(1000), MileageMax: ref(15), DisplacementCcMax: ref(0)}}},
		"integers beyond 64 bits": {`"filters":{"price_max":1e30,"mileage_max":123456789012345678901234567890}`,
			&inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20, Filters: &inventoryv1.Filters{
				PriceMax: ref(math.MaxInt64), MileageMax: ref(math.MaxInt64)}}},
		"every filter": {`"filters":{"make":["a","b"],"model":["c"],"trim":["d"],"transmission":["e"],"fuel":["f"],"driveline":["g"],"body":["h"],` +
			`"exterior_color":["i"],"interior_color":["j"],"rooftops":["k"],"charge_port":["l"],"condition":["new"],"vehicle_type":["rv"],` +
			`"status":["pending"],"year_min":2000,"year_max":2001,"price_min":1,"price_max":2,"mileage_max":3,"displacement_cc_min":4,` +
			`"displacement_cc_max":5,"electric_range_mi_min":6.5,"electric_range_mi_max":7,"dc_fast_charge":true,"vin":"` + vin + `","stock":"` + stock +
			`","query":"` + query + `","geo":{"latitude":37.8,"longitude":-122.27,"radius_mi":25}}`,
			&inventoryv1.SearchRequest{Tenant: "alpha", Limit: 20, Filters: &inventoryv1.Filters{
				Make: []string{"a", "b"}, Model: []string{"c"}, Trim: []string{"d"}, Transmission: []string{"e"}, Fuel: []string{"f"},
				Driveline: []string{"g"}, Body: []string{"h"}, ExteriorColor: []string{"i"}, InteriorColor: []string{"j"}, Rooftops: []string{"k"},
				ChargePort: []string{"l"}, Condition: []string{"new"}, VehicleType: []string{"rv"}, Status: []string{"pending"},
				YearMin: ref(2000), YearMax: ref(2001), PriceMin: ref(1), PriceMax: ref(2), MileageMax: ref(3), DisplacementCcMin: ref(4),
				DisplacementCcMax: ref(5), ElectricRangeMiMin: f(6.5), ElectricRangeMiMax: f(7), DcFastCharge: &yes, Vin: &vin, Stock: &stock,
				Query: &query, Geo: &inventoryv1.Geo{Latitude: 37.8, Longitude: -122.27, RadiusMi: 25}}}},
	} {
		t.Run(name, func(t *testing.T) {
			arguments := `{"type":"inventory.search.request"`
			if tc.arguments != "" {
				arguments += "," + tc.arguments
			}
			got := w.call("alpha", "aap_inventory_search", arguments+`}`)
			if got.code() != nil {
				t.Fatalf("refused: %s", got.raw)
			}
			if diff := cmp.Diff(tc.want, w.inventory.searched, protocmp.Transform()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_CALL_SearchPage(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		page *inventoryv1.SearchResponse
		want string
	}{
		"empty": {&inventoryv1.SearchResponse{}, `{"total":0,"limit":7,"vehicles":[]}`},
		"more to come": {&inventoryv1.SearchResponse{Total: 9, NextCursor: `a"b`, Listings: [][]byte{[]byte(listingA)}},
			`{"total":9,"limit":7,"next_cursor":"a\"b","vehicles":[` + listingA + `]}`},
	} {
		t.Run(name, func(t *testing.T) {
			w.inventory.answer(stock{page: tc.page})
			got := w.call("alpha", "aap_inventory_search", `{"type":"inventory.search.request","pagination":{"limit":7}}`)
			if diff := cmp.Diff(`{"type":"inventory.search.response","data":`+tc.want+`}`, got.text()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_IDEM_CallerScopeOfAPublicEndpoint(t *testing.T) {
	w := newWorld(t)
	w.call("alpha", "aap_lead_submit", validLead)
	want := []*leadsv1.SubmitRequest{{Tenant: "alpha", Caller: "public|harbor-shopper", Request: []byte(validLead)}}
	if diff := cmp.Diff(want, w.leads.submitted, protocmp.Transform()); diff != "" {
		t.Error(diff)
	}
}

func TestR_IDEM_ReplayIsMarkedAndByteIdentical(t *testing.T) {
	w := newWorld(t)
	first := w.call("alpha", "aap_lead_submit", validLead, "X-Correlation-ID", "c-1")
	w.leads.answer(outcomes{replayed: true})
	again := w.call("alpha", "aap_lead_submit", validLead, "X-Correlation-ID", "c-2")
	marked := strings.Replace(first.raw, `"correlation_id":"c-1"`, `"correlation_id":"c-2","replayed":true`, 1)
	if diff := cmp.Diff(marked, again.raw); diff != "" {
		t.Error(diff)
	}
}

func TestR_TEN_CallsReachOnlyTheirTenant(t *testing.T) {
	w := newWorld(t)
	w.call("beta", "aap_inventory_vehicle", `{"type":"inventory.vehicle.request","vehicle_id":"a"}`)
	w.call("beta", "aap_inventory_search", `{"type":"inventory.search.request"}`)
	w.call("alpha", "aap_inventory_facets", `{"type":"inventory.facets.request"}`)
	w.call("alpha", "aap_dealer_information", `{"type":"dealer.information.request"}`)
	got := []string{w.inventory.vehicleOf.Tenant, w.inventory.searched.Tenant, w.inventory.facetsOf.Tenant, w.inventory.dealerOf.Tenant}
	if diff := cmp.Diff([]string{"beta", "beta", "alpha", "alpha"}, got); diff != "" {
		t.Error(diff)
	}
	for _, nobody := range []string{"nobody", "Alpha", "alpha%20", "alpha%2Fmcp", "%2e%2e", "*"} {
		if got := outcomeOf(w.post(nobody, current("tools/list"))); !cmp.Equal(got, outcome{404, -32600, 1.0}) {
			t.Errorf("tenant %s: %v", nobody, got)
		}
	}
}
