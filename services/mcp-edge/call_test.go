package mcpedge_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/testing/protocmp"

	"forecourt.internal/contract"
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
			w.inventory.answer(func(s *inventory) { s.page = tc.page })
			got := w.call("alpha", "aap_inventory_search", `{"type":"inventory.search.request","pagination":{"limit":7}}`)
			if diff := cmp.Diff(`{"type":"inventory.search.response","data":`+tc.want+`}`, got.text()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_ERR_UnknownToolIsToldWhatExists(t *testing.T) {
	w := newWorld(t)
	for name, params := range map[string][]string{
		"unknown":       {`"name":"aap_other"`},
		"disabled":      {`"name":"aap_lead_submit"`, `"arguments":` + validLead},
		"in other case": {`"name":"AAP_INVENTORY_SEARCH"`},
		"a skill id":    {`"name":"inventory.search"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.post("beta", current("tools/call", params...))
			want := map[string]any{"code": -32602.0, "message": "Unknown tool; this dealership has: aap_inventory_search, aap_inventory_vehicle"}
			if diff := cmp.Diff(want, got.body["error"]); diff != "" || got.status != 200 {
				t.Errorf("status %d: %s", got.status, diff)
			}
		})
	}
	for name, params := range map[string][]string{"no name": nil, "name is a number": {`"name":1`}, "name is null": {`"name":null`}} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(outcome{200, -32602, 1.0}, outcomeOf(w.post("beta", current("tools/call", params...)))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if len(w.leads.submitted) != 0 {
		t.Error("a disabled skill ran")
	}
}

func TestR_ERR_BadArgumentsOfAKnownToolAreACompletedResult(t *testing.T) {
	w := newWorld(t)
	const search = "aap_inventory_search"
	for name, tc := range map[string]struct {
		params []string
		code   string
		at     []string // where the problems are, in order; nil: not compared
	}{
		"no arguments":            {[]string{`"name":"` + search + `"`}, "SCHEMA_VALIDATION_FAILED", nil},
		"arguments are null":      {[]string{`"name":"` + search + `"`, `"arguments":null`}, "SCHEMA_VALIDATION_FAILED", nil},
		"arguments are a list":    {[]string{`"name":"` + search + `"`, `"arguments":[]`}, "SCHEMA_VALIDATION_FAILED", nil},
		"arguments are a string":  {[]string{`"name":"` + search + `"`, `"arguments":"{}"`}, "SCHEMA_VALIDATION_FAILED", nil},
		"no type":                 {[]string{`"name":"` + search + `"`, `"arguments":{}`}, "MISSING_REQUIRED_FIELD", []string{"/type"}},
		"type of another skill":   {[]string{`"name":"` + search + `"`, `"arguments":{"type":"inventory.facets.request"}`}, "SCHEMA_VALIDATION_FAILED", []string{"/type"}},
		"all problems at once":    {[]string{`"name":"` + search + `"`, `"arguments":{"type":"inventory.search.request","filters":{"price_max":"cheap","colour":["red"]}}`}, "SCHEMA_VALIDATION_FAILED", []string{"/filters/colour", "/filters/price_max"}},
		"member in other case":    {[]string{`"name":"` + search + `"`, `"arguments":{"type":"inventory.search.request","Filters":{}}`}, "SCHEMA_VALIDATION_FAILED", []string{"/Filters"}},
		"absurd number":           {[]string{`"name":"` + search + `"`, `"arguments":{"type":"inventory.search.request","filters":{"price_max":1e999999999}}`}, "SCHEMA_VALIDATION_FAILED", []string{"/filters/price_max"}},
		"lead without consent":    {[]string{`"name":"aap_lead_submit"`, `"arguments":` + strings.Replace(validLead, `"consent"`, `"x_consent"`, 1)}, "SCHEMA_VALIDATION_FAILED", nil},
		"vehicle named by nobody": {[]string{`"name":"aap_inventory_vehicle"`, `"arguments":{"type":"inventory.vehicle.request"}`}, "MISSING_REQUIRED_FIELD", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.post("alpha", current("tools/call", tc.params...))
			if got.status != 200 || got.result()["resultType"] != "complete" || got.result()["isError"] != true || got.code() != tc.code {
				t.Fatalf("status %d: %s", got.status, got.raw)
			}
			if tc.at == nil {
				return
			}
			var at []string
			for _, problem := range got.structured()["details"].(map[string]any)["errors"].([]any) {
				at = append(at, problem.(map[string]any)["instanceLocation"].(string))
			}
			if diff := cmp.Diff(tc.at, at); diff != "" {
				t.Error(diff)
			}
		})
	}
	if w.inventory.searched != nil || len(w.leads.submitted) != 0 {
		t.Error("a refused call reached a service")
	}
}

func TestR_ERR_FailureOfAServiceKeepsItsCode(t *testing.T) {
	w := newWorld(t)
	fault := contract.NewError(contract.VehicleUnavailable, "That vehicle has been sold.",
		contract.Problem{InstanceLocation: "/vin", Keyword: "exists", Error: "The vehicle is sold.", Correction: "Search for another."})
	fault.RetryAfter = 1500 * time.Millisecond
	w.inventory.answer(func(s *inventory) { s.err = fault })
	got := w.call("alpha", "aap_inventory_vehicle", `{"type":"inventory.vehicle.request","vehicle_id":"a"}`)
	payload := got.structured()
	if id, _ := payload["error_id"].(string); !strings.HasPrefix(id, "err_") {
		t.Errorf("error_id = %q", id)
	}
	delete(payload, "error_id")
	want := map[string]any{
		"type": "aap.error", "code": "VEHICLE_UNAVAILABLE", "message": "That vehicle has been sold.", "retryable": false,
		"details": map[string]any{"retry_after_ms": 1500.0, "errors": []any{map[string]any{
			"instanceLocation": "/vin", "keyword": "exists", "error": "The vehicle is sold.", "correction": "Search for another."}}},
		"created_at": "2026-11-30T12:00:00.000Z",
	}
	if diff := cmp.Diff(want, payload); diff != "" || got.result()["isError"] != true {
		t.Errorf("isError %v: %s", got.result()["isError"], diff)
	}
}

func TestR_ERR_OtherFailuresAreInternalAndLoggedUnderTheirID(t *testing.T) {
	for name, err := range map[string]error{
		"service down":      status.Error(codes.Unavailable, "connection refused to 10.0.0.7"),
		"deadline":          status.Error(codes.DeadlineExceeded, "deadline exceeded"),
		"bug":               errors.New("disk on fire"),
		"unknown AAP code":  contract.NewError("MADE_UP", "Something."),
		"internal, by code": contract.NewError(contract.InternalError, "Another attempt is in progress."),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.leads.answer(func(s *leads) { s.err = err })
			got := w.call("alpha", "aap_lead_submit", validLead, "X-Correlation-ID", "c-1")
			payload := got.structured()
			if payload["code"] != "INTERNAL_ERROR" || payload["retryable"] != true || got.result()["isError"] != true || got.status != 200 {
				t.Fatalf("answer: %s", got.raw)
			}
			for _, secret := range []string{"10.0.0.7", "disk", "MADE_UP"} {
				if strings.Contains(got.raw, secret) {
					t.Errorf("the caller was told %q", secret)
				}
			}
			lines := w.log.lines("call failed")
			for _, line := range lines {
				if line["error_id"] == payload["error_id"] && line["correlation_id"] == "c-1" {
					return
				}
			}
			t.Errorf("no log line has the error id %v: %v", payload["error_id"], lines)
		})
	}
}

func TestR_CALL_ResponseThatBreaksItsSchemaIsNeverSent(t *testing.T) {
	const secret = "ines.okafor@mail.example"
	search := []string{"aap_inventory_search", `{"type":"inventory.search.request"}`}
	vehicle := []string{"aap_inventory_vehicle", `{"type":"inventory.vehicle.request","vehicle_id":"a"}`}
	page := func(listings ...string) func(*world) {
		return func(w *world) {
			w.inventory.page = &inventoryv1.SearchResponse{Total: 2}
			for _, listing := range listings {
				w.inventory.page.Listings = append(w.inventory.page.Listings, []byte(listing))
			}
		}
	}
	for name, tc := range map[string]struct {
		call []string
		set  func(*world)
	}{
		"listing without status":         {search, page(listingA, `{"vehicle_id":"c","make":"`+secret+`","updated_at":"2026-04-30T08:42:00Z"}`)},
		"listing that is sold":           {search, page(strings.Replace(listingA, "available", secret, 1))},
		"listing with a duplicate name":  {search, page(`{"vehicle_id":"c","vehicle_id":"` + secret + `","status":"available","updated_at":"2026-04-30T08:42:00Z"}`)},
		"listing that is no JSON":        {search, page(`{"vehicle_id":"` + secret)},
		"listing with two values":        {search, page(listingA + `,` + listingB)},
		"listing that is empty":          {search, page("")},
		"listing with invalid UTF-8":     {search, page(strings.Replace(listingA, "Camry", "C\xff", 1))},
		"cursor with invalid UTF-8":      {search, func(w *world) { w.inventory.page = &inventoryv1.SearchResponse{NextCursor: "\xff"} }},
		"vehicle with condition of wear": {vehicle, func(w *world) { w.inventory.listing = strings.Replace(listingA, `"new"`, `"good"`, 1) }},
		"facets":                         {[]string{"aap_inventory_facets", `{"type":"inventory.facets.request"}`}, func(w *world) { w.inventory.facetsData = `{"makes":"` + secret + `"}` }},
		"dealer":                         {[]string{"aap_dealer_information", `{"type":"dealer.information.request"}`}, func(w *world) { w.inventory.dealer = `{"name":"` + secret + `"}` }},
		"lead": {[]string{"aap_lead_submit", validLead}, func(w *world) {
			w.leads.response = `{"type":"lead.submit.response","data":{"status":"` + secret + `"}}`
		}},
		"lead that is an error": {[]string{"aap_lead_submit", validLead}, func(w *world) {
			w.leads.response = `{"type":"aap.error","error_id":"e","code":"INVALID_CONSENT","message":"m","retryable":false,"created_at":"2026-04-30T08:42:00Z"}`
		}},
		"lead of another type": {[]string{"aap_lead_submit", validLead}, func(w *world) { w.leads.response = `{"type":"inventory.vehicle.response","data":` + listingA + `}` }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			tc.set(w)
			for range 2 { // what was refused once is not remembered as valid
				got := w.call("alpha", tc.call[0], tc.call[1])
				if got.code() != "INTERNAL_ERROR" || got.result()["isError"] != true {
					t.Errorf("answer: %s", got.raw)
				}
			}
			if n := len(w.log.lines("call failed")); n != 2 {
				t.Errorf("log lines = %d, want 2", n)
			}
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("a value was logged: %s", w.log)
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
	w.leads.answer(func(s *leads) { s.replayed = true })
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

func TestR_TEL_OneLinePerCallWithoutArguments(t *testing.T) {
	w := newWorld(t)
	w.leads.answer(func(s *leads) { s.replayed = true })
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
