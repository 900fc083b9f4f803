package inventory_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// export returns the text of an export.
func export(t *testing.T, js jetstream.JetStream, tenantID string) string {
	t.Helper()
	var out bytes.Buffer
	n, err := inventory.Export(t.Context(), js, tenantID, &out)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n") - 2; lines != n {
		t.Errorf("%d listings are said to be on %d lines", n, lines)
	}
	return out.String()
}

// exported are the lines of an export that hold listings.
func exported(t *testing.T, js jetstream.JetStream, tenantID string) []string {
	t.Helper()
	var lines []string
	for line := range strings.Lines(export(t, js, tenantID)) {
		if line = strings.TrimRight(line, ",\n"); line != "[" && line != "]" {
			lines = append(lines, line)
		}
	}
	return lines
}

// everything is a feed of the contract's example of a vehicle, which has every member, and of text and extra members that are hard.
func everything(t *testing.T) string {
	t.Helper()
	text, ok := contract.SchemaFile("vehicle.schema.json")
	if !ok {
		t.Fatal("no vehicle schema")
	}
	var schema struct {
		Properties map[string]struct{ Examples []any }
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	full := map[string]any{"vehicle_id": "full", "rooftop": "Main", "condition": "cpo", "status": "pending", "vehicle_type": "rv"}
	for member, property := range schema.Properties {
		if _, given := full[member]; !given && len(property.Examples) > 0 {
			full[member] = property.Examples[0]
		}
	}
	delete(full, "evidence")
	full["vin"], full["dealer_id"] = "1M8GDM9AXKP042788", "another"
	encoded, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	return "[" + string(encoded) + `,
{"vehicle_id":"hard","status":"available","description":"é \u2028 \"quoted\" <b> 車 \\ ` + "\U0001F697" + `","charge_port":null,"fees":[],
"x_nested":{"b":[1,2.50,{"z":null,"a":true}],"a":1e300},"Ünïcode":"é","updated_at":"2026-01-01T01:00:00.123456789+01:00"},
{"vehicle_id":"plain","status":"intransit","price":1}]`
}

func TestExport_OfASearchableTenant_IsWhatTheSearchServes(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, lexus, everything(t))
	eventually(t, func() bool { return svc.total(t, lexus.ID) == 3 })
	var want []string
	resp := svc.search(t, &inventoryv1.SearchRequest{Tenant: lexus.ID, Limit: 10})
	byID := make(map[string]string)
	for i, l := range decoded(t, resp.GetListings()) {
		byID[l["vehicle_id"].(string)] = string(resp.GetListings()[i])
	}
	for _, id := range []string{"full", "hard", "plain"} {
		want = append(want, byID[id])
	}
	if diff := cmp.Diff(want, exported(t, svc.js, lexus.ID)); diff != "" {
		t.Error(diff)
	}
}

func TestExport_ImportedAgain_ChangesNothing(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	onDay(t, js, 1, everything(t))
	for d, step := range []string{"as listed", "after a confirmation", "after a confirmation of some"} {
		text := export(t, js, lexus.ID)
		before := len(messages(t, js))
		for _, later := range []int{0, 20} {
			if diff := diffReport(inventory.Report{Rows: 3, Unchanged: 3}, onDay(t, js, 1+d+later, text)); diff != "" {
				t.Errorf("%s: %s", step, diff)
			}
		}
		if n := len(messages(t, js)); n != before {
			t.Errorf("%s: %d events were published", step, n-before)
		}
		if diff := cmp.Diff(text, export(t, js, lexus.ID)); diff != "" {
			t.Errorf("%s: %s", step, diff)
		}
		feed := everything(t)
		if d == 1 {
			feed = `[{"vehicle_id":"plain","status":"intransit","price":1}]`
		}
		if r := onDay(t, js, 2+d, feed); r.Confirmed == 0 {
			t.Errorf("%s: nothing is confirmed: %+v", step, r)
		}
	}
}

func TestExport_IntoAnotherTenant_HasTheSameFacts(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	onDay(t, js, 1, everything(t))
	onDay(t, js, 2, everything(t))
	other := &tenant.Document{ID: "other", Name: "Other", Rooftops: lexus.Rooftops}
	from := exported(t, js, lexus.ID)
	if diff := diffReport(inventory.Report{Rows: 3, Listed: 3}, load(t, js, other, export(t, js, lexus.ID))); diff != "" {
		t.Error(diff)
	}
	to := exported(t, js, other.ID)
	if diff := cmp.Diff(withoutEventID(t, from), withoutEventID(t, to)); diff != "" {
		t.Error(diff)
	}
}

// withoutEventID are listings without what names the event that recorded them and its feed.
func withoutEventID(t *testing.T, listings []string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, text := range listings {
		var l map[string]any
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		delete(l["evidence"].(map[string]any), "event_id")
		out = append(out, l)
	}
	return out
}

func TestExport_OfManyVehicles_IsInOrderAndWhole(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	if text := export(t, js, lexus.ID); text != "[\n]\n" {
		t.Errorf("no stock is %q", text)
	}
	var rows []string
	for n := range 1200 {
		rows = append(rows, fmt.Sprintf(`{"vehicle_id":"v%04d","status":"available"}`, (n*7)%1200))
	}
	load(t, js, lexus, "["+strings.Join(rows, ",")+"]")
	load(t, js, lexus, `[{"vehicle_id":"v0000","status":"sold"}]`)
	if _, err := js.Publish(t.Context(), "inventory.v1.demo-lexus.v0001", []byte("broken")); err != nil {
		t.Fatal(err)
	}
	lines := exported(t, js, lexus.ID)
	if len(lines) != 1199 {
		t.Fatalf("%d listings, want 1199", len(lines))
	}
	for i, line := range lines {
		if want := fmt.Sprintf(`"vehicle_id":"v%04d"`, i+1); !strings.Contains(line, want) {
			t.Fatalf("line %d is %s, want %s", i, line, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestExport_ThatCannotBeWritten_Fails(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	if _, err := inventory.Export(t.Context(), js, lexus.ID, fullDisk{}); err == nil || !strings.Contains(err.Error(), "no space") {
		t.Errorf("err = %v", err)
	}
}
