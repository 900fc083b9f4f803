package mcpedge_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

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
	w.inventory.answer(stock{err: fault})
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
	w := newWorld(t)
	inProgress := contract.NewError(contract.InternalError, "Another attempt is in progress.")
	inProgress.RetryAfter = time.Second
	for name, tc := range map[string]struct {
		err     error
		level   string
		retryMS any
	}{
		"service down":         {status.Error(codes.Unavailable, "connection refused to 10.0.0.7"), "ERROR", 2000.0},
		"deadline":             {status.Error(codes.DeadlineExceeded, "deadline exceeded"), "ERROR", 2000.0},
		"bug":                  {errors.New("disk on fire"), "ERROR", nil},
		"unknown AAP code":     {contract.NewError("MADE_UP", "Something."), "ERROR", nil},
		"internal, by code":    {contract.NewError(contract.InternalError, "Something is wrong."), "ERROR", nil},
		"to come back later":   {inProgress, "INFO", 1000.0},
		"the caller went away": {status.Error(codes.Canceled, "canceled"), "INFO", nil},
	} {
		t.Run(name, func(t *testing.T) {
			w.leads.answer(outcomes{err: tc.err})
			got := w.call("alpha", "aap_lead_submit", validLead, "X-Correlation-ID", "c-1")
			payload := got.structured()
			if payload["code"] != "INTERNAL_ERROR" || payload["retryable"] != true || got.result()["isError"] != true || got.status != 200 {
				t.Fatalf("answer: %s", got.raw)
			}
			details, _ := payload["details"].(map[string]any)
			if diff := cmp.Diff(tc.retryMS, details["retry_after_ms"]); diff != "" {
				t.Errorf("retry_after_ms: %s", diff)
			}
			for _, secret := range []string{"10.0.0.7", "disk", "MADE_UP"} {
				if strings.Contains(got.raw, secret) {
					t.Errorf("the caller was told %q", secret)
				}
			}
			lines := w.log.lines("call failed")
			for _, line := range lines {
				if line["error_id"] == payload["error_id"] && line["correlation_id"] == "c-1" {
					if line["level"] != tc.level {
						t.Errorf("logged at %s, want %s", line["level"], tc.level)
					}
					return
				}
			}
			t.Errorf("no log line has the error id %v: %v", payload["error_id"], lines)
		})
	}
}

func TestR_CALL_ResponseThatBreaksItsSchemaIsNeverSent(t *testing.T) {
	w := newWorld(t)
	const (
		secret = "ines.okafor@mail.example"

		dealer  = `"name":"aap_dealer_information","arguments":{"type":"dealer.information.request"}`
		facets  = `"name":"aap_inventory_facets","arguments":{"type":"inventory.facets.request"}`
		search  = `"name":"aap_inventory_search","arguments":{"type":"inventory.search.request"}`
		vehicle = `"name":"aap_inventory_vehicle","arguments":{"type":"inventory.vehicle.request","vehicle_id":"a"}`
		lead    = `"name":"aap_lead_submit","arguments":` + validLead
	)
	page := func(listings ...string) stock {
		page := &inventoryv1.SearchResponse{Total: 2}
		for _, listing := range listings {
			page.Listings = append(page.Listings, []byte(listing))
		}
		return stock{page: page}
	}
	for name, tc := range map[string]struct {
		call  string
		stock stock
		leads outcomes
	}{
		"listing without status": {call: search, stock: page(listingA, `{"vehicle_id":"c","make":"`+secret+`","updated_at":"2026-04-30T08:42:00Z"}`)},
		"listing that is sold":   {call: search, stock: page(strings.Replace(listingA, "available", secret, 1))},
		"listing with a duplicate name": {call: search,
			stock: page(`{"vehicle_id":"c","vehicle_id":"` + secret + `","status":"available","updated_at":"2026-04-30T08:42:00Z"}`)},
		"listing that is no JSON":        {call: search, stock: page(`{"vehicle_id":"` + secret)},
		"listing with two values":        {call: search, stock: page(listingA + `,` + listingB)},
		"listing that is empty":          {call: search, stock: page("")},
		"listing with invalid UTF-8":     {call: search, stock: page(strings.Replace(listingA, "Camry", "C\xff", 1))},
		"vehicle with condition of wear": {call: vehicle, stock: stock{listing: strings.Replace(listingA, `"new"`, `"good"`, 1)}},
		"facets":                         {call: facets, stock: stock{facets: `{"makes":"` + secret + `"}`}},
		"dealer":                         {call: dealer, stock: stock{dealer: `{"name":"` + secret + `"}`}},
		"dealer with a second member":    {call: dealer, stock: stock{dealer: dealerData + `,"more":"` + secret + `"`}},
		"lead":                           {call: lead, leads: outcomes{response: `{"type":"lead.submit.response","data":{"status":"` + secret + `"}}`}},
		"lead of another type":           {call: lead, leads: outcomes{response: `{"type":"inventory.vehicle.response","data":` + listingA + `}`}},
		"lead that is an error": {call: lead, leads: outcomes{response: `{"type":"aap.error","error_id":"e","code":"INVALID_CONSENT",` +
			`"message":"m","retryable":false,"created_at":"2026-04-30T08:42:00Z"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			w.inventory.answer(tc.stock)
			w.leads.answer(tc.leads)
			before := len(w.log.lines("call failed"))
			for range 2 { // what was refused once is not remembered as valid
				got := w.post("alpha", current("tools/call", tc.call))
				if got.code() != "INTERNAL_ERROR" || got.result()["isError"] != true {
					t.Errorf("answer: %s", got.raw)
				}
			}
			if n := len(w.log.lines("call failed")) - before; n != 2 {
				t.Errorf("log lines = %d, want 2", n)
			}
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("a value was logged: %s", w.log)
			}
		})
	}
}
