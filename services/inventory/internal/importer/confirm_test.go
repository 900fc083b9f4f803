package importer

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
)

// drawRun draws a run of an import over few vehicles and few times, so that times coincide.
func drawRun(t *rapid.T) *run {
	at := func(label string) time.Time {
		return timeOf(rapid.Int64Range(0, 4).Draw(t, label)) // 0 is never
	}
	r := &run{
		Importer: &Importer{Tenant: &tenant.Document{ID: "t"}}, now: time.UnixMicro(5), feed: new(feed.Feed),
		stock: &eventlog.Stock{Vehicles: make(map[string]eventlog.Last), AsOf: 20, Confirmed: eventlog.Confirmation{
			AsOf: rapid.Uint64Range(0, 15).Draw(t, "as of"), ObservedAt: at("rest"), Others: make(map[string]time.Time),
		}},
		plan: &plan{rows: make(map[string]int), leaves: make(map[string]bool)},
	}
	for n := range rapid.IntRange(0, 8).Draw(t, "vehicles") {
		id := fmt.Sprint("v", n)
		r.stock.Vehicles[id] = eventlog.Last{
			Seq: rapid.Uint64Range(1, 20).Draw(t, "seq"), OnSale: rapid.IntRange(0, 4).Draw(t, "sold") > 0,
			ObservedAt: rapid.Int64Range(1, 4).Draw(t, "own"),
		}
		if rapid.Bool().Draw(t, "other") {
			r.stock.Confirmed.Others[id] = at("other at")
		}
		switch rapid.IntRange(0, 3).Draw(t, "in file") {
		case 0:
			r.plan.leaves[id] = rapid.Bool().Draw(t, "leaves")
		default:
			r.plan.rows[id] = len(r.feed.Rows)
			r.feed.Rows = append(r.feed.Rows, feed.Row{VehicleID: id, ObservedAt: at("row")})
			r.plan.kinds = append(r.plan.kinds, rapid.SampledFrom([]eventlog.Kind{unchanged, unchanged, eventlog.Updated}).Draw(t, "kind"))
		}
	}
	return r
}

// TestConfirmation_KeepsTheLatestTimeOfEveryVehicle compares with what the rule says vehicle by vehicle.
func TestConfirmation_KeepsTheLatestTimeOfEveryVehicle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRun(t)
		next, confirmed := r.confirmation()
		want, got, later := make(map[string]int64), make(map[string]int64), 0
		for id, last := range r.stock.Vehicles {
			n, named := r.plan.rows[id]
			if !last.OnSale || r.plan.leaves[id] || named && r.plan.kinds[n] != unchanged {
				if _, listed := next.Others[id]; listed {
					t.Errorf("%s is named and not covered", id)
				}
				continue
			}
			known := max(last.ObservedAt, unixMicro(r.stock.Confirmed.At(id, last.Seq)))
			want[id] = known
			if named {
				stated := int64(5)
				if row := r.feed.Rows[n]; !row.ObservedAt.IsZero() {
					stated = row.ObservedAt.UnixMicro()
				}
				want[id] = max(known, stated)
			}
			if want[id] > known {
				later++
			}
			got[id] = max(last.ObservedAt, unixMicro(next.At(id, last.Seq)))
		}
		if diff := cmp.Diff(want, got); diff != "" || confirmed != later {
			t.Errorf("%d confirmed, want %d: %s", confirmed, later, diff)
		}
		if len(want) > 0 && len(next.Others) == len(want) {
			t.Errorf("all of %d vehicles are named", len(want))
		}
	})
}

func unixMicro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}
