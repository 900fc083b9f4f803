package inventory_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory"
)

// day is a day of May 2026 at noon.
func day(d int) time.Time { return time.Date(2026, 5, d, 12, 0, 0, 0, time.UTC) }

// onDay imports a feed on a day.
func onDay(t *testing.T, js jetstream.JetStream, d int, feed string) inventory.Report {
	t.Helper()
	report, err := as(t, js, lexus, feed, func(cfg *inventory.ImportConfig) { cfg.Now = func() time.Time { return day(d) } })
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// carsAt is a feed of some vehicles at one price.
func carsAt(price int, ids string) string {
	var rows []string
	for _, id := range strings.Fields(ids) {
		rows = append(rows, fmt.Sprintf(`{"vehicle_id":%q,"status":"available","price":%d}`, id, price))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// confirmations are the data of the events that confirm, in their order.
func confirmations(t *testing.T, js jetstream.JetStream) []string {
	t.Helper()
	var out []string
	for _, msg := range messages(t, js) {
		if strings.HasSuffix(msg.Subject(), ".~confirmed") {
			valid(t, "event-inventory-confirmed.schema.json", msg.Data())
			out = append(out, string(msg.Data()))
		}
	}
	return out
}

func TestImport_OneEventConfirmsAllThatDidNotChange(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	for n, step := range []struct {
		does string
		day  int
		feed string
		want inventory.Report
		then string // the confirmation; "" is none
	}{
		{"new vehicles state their own time", 1, carsAt(100, "a b c d"), inventory.Report{Rows: 4, Listed: 4}, ""},
		{"unchanged ones are confirmed", 2, carsAt(100, "a b c d"), inventory.Report{Rows: 4, Unchanged: 4, Confirmed: 4},
			`{"tenant":"demo-lexus","as_of":4,"observed_at":"2026-05-02T12:00:00Z","others":[]}`},
		{"the time of most needs no names", 3, carsAt(100, "a b c"), inventory.Report{Rows: 3, Unchanged: 3, Confirmed: 3},
			`{"tenant":"demo-lexus","as_of":5,"observed_at":"2026-05-03T12:00:00Z","others":[{"observed_at":"2026-05-02T12:00:00Z","vehicle_ids":["d"]}]}`},
		{"an earlier time confirms nothing", 2, carsAt(100, "a b c"), inventory.Report{Rows: 3, Unchanged: 3}, ""},
		{"a changed vehicle states its own time, and then it is one that was never confirmed", 4, carsAt(200, "a"),
			inventory.Report{Rows: 1, Updated: 1}, ""},
		{"what is confirmed later covers it", 5, carsAt(100, "b"), inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1},
			`{"tenant":"demo-lexus","as_of":7,"observed_at":"2026-05-05T12:00:00Z","others":[{"vehicle_ids":["a"]},` +
				`{"observed_at":"2026-05-02T12:00:00Z","vehicle_ids":["d"]},{"observed_at":"2026-05-03T12:00:00Z","vehicle_ids":["c"]}]}`},
		{"a row that says when it was observed confirms as of then", 9,
			`[{"vehicle_id":"a","status":"available","price":200,"evidence":{"observed_at":"2026-05-06T00:00:00Z"}}]`,
			inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1},
			`{"tenant":"demo-lexus","as_of":8,"observed_at":"2026-05-06T00:00:00Z","others":[{"observed_at":"2026-05-02T12:00:00Z","vehicle_ids":["d"]},` +
				`{"observed_at":"2026-05-03T12:00:00Z","vehicle_ids":["c"]},{"observed_at":"2026-05-05T12:00:00Z","vehicle_ids":["b"]}]}`},
		{"vehicles off sale drop out", 10, `[{"vehicle_id":"a","status":"sold"},{"vehicle_id":"b","status":"sold"},{"vehicle_id":"c","status":"available","price":100}]`,
			inventory.Report{Rows: 3, Delisted: 2, Unchanged: 1, Confirmed: 1},
			`{"tenant":"demo-lexus","as_of":9,"observed_at":"2026-05-10T12:00:00Z","others":[{"observed_at":"2026-05-02T12:00:00Z","vehicle_ids":["d"]}]}`},
	} {
		var before []string
		if n > 0 {
			before = confirmations(t, js)
		}
		if diff := diffReport(step.want, onDay(t, js, step.day, step.feed)); diff != "" {
			t.Errorf("%s: %s", step.does, diff)
		}
		if diff := cmp.Diff(step.then, strings.Join(confirmations(t, js)[len(before):], "")); diff != "" {
			t.Errorf("%s: %s", step.does, diff)
		}
	}
}

func TestImport_ConfirmationOfTooManyNames_IsAnEventForEach(t *testing.T) {
	t.Parallel()
	js := smallPayload(t, 8<<10) // less than 4 KiB are left for the data
	var all, half []string
	for n := range 200 {
		id := fmt.Sprintf("vehicle_with_a_long_name_that_takes_room_%03d", n)
		if all = append(all, id); n%2 == 0 {
			half = append(half, id)
		}
	}
	onDay(t, js, 1, carsAt(100, strings.Join(all, " ")))
	onDay(t, js, 2, carsAt(100, strings.Join(all, " ")))
	want := inventory.Report{Rows: 100, Unchanged: 100, Confirmed: 100}
	if diff := diffReport(want, onDay(t, js, 3, carsAt(100, strings.Join(half, " ")))); diff != "" {
		t.Error(diff)
	}
	if n := len(confirmations(t, js)); n != 1 {
		t.Errorf("%d confirmations, want the one of day 2", n)
	}
	for _, l := range exported(t, js, lexus.ID) {
		var listing struct {
			VehicleID string `json:"vehicle_id"`
			Evidence  struct {
				ObservedAt time.Time `json:"observed_at"`
			}
		}
		if err := json.Unmarshal([]byte(l), &listing); err != nil {
			t.Fatal(err)
		}
		want := day(2)
		if strings.HasSuffix(half[0], listing.VehicleID) || (listing.VehicleID[len(listing.VehicleID)-1]-'0')%2 == 0 {
			want = day(3)
		}
		if !listing.Evidence.ObservedAt.Equal(want) {
			t.Errorf("%s was observed at %s, want %s", listing.VehicleID, listing.Evidence.ObservedAt, want)
		}
	}
	if diff := diffReport(inventory.Report{Rows: 100, Unchanged: 100}, onDay(t, js, 3, carsAt(100, strings.Join(half, " ")))); diff != "" {
		t.Errorf("the same again: %s", diff)
	}
}
