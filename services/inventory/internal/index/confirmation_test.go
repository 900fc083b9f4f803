package index_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

func day(d int) time.Time { return time.Date(2026, 5, d, 8, 0, 0, 0, time.UTC) }

// stated lists a vehicle whose updated_at is a day of May.
func stated(t testing.TB, x *index.Index, id string, seq uint64, d int) {
	t.Helper()
	x.Put("t", seq, parse(t, vehicle.Vehicle{"vehicle_id": id, "updated_at": vehicle.RFC3339(day(d))}))
}

// byUpdate are the vehicles with their updated_at, the newest first.
func byUpdate(t testing.TB, x *index.Index) []string {
	t.Helper()
	var got []string
	for _, l := range x.Search("t", index.Query{Sort: index.Sort{Field: "updated_at", Descending: true}, Limit: 100}).Listings {
		v, err := vehicle.Parse(l.JSON(), vehicle.Evidence{Source: "s", EventID: "e"}, check)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %d", v.VehicleID, time.UnixMicro(v.UpdatedAt).UTC().Day()))
	}
	return got
}

func TestConfirm_ShowsAndOrdersByTheLaterTime(t *testing.T) {
	for name, x := range map[string]*index.Index{"in the delta": new(index.Index), "in segments": index.Sized(1, 2, 100, 100)} {
		t.Run(name, func(t *testing.T) {
			stated(t, x, "covered", 1, 1)
			stated(t, x, "newer than its confirmation", 2, 9)
			stated(t, x, "never confirmed", 3, 2)
			stated(t, x, "confirmed at another time", 4, 3)
			x.Confirm("t", index.Confirmation{AsOf: 4, At: day(20).UnixMicro()}) // is replaced
			x.Confirm("t", index.Confirmation{AsOf: 6, At: day(5).UnixMicro(), Others: map[string]int64{
				"never confirmed": 0, "confirmed at another time": day(7).UnixMicro(),
			}})
			stated(t, x, "read late", 5, 4)
			stated(t, x, "not covered", 7, 1)
			want := []string{
				"newer than its confirmation 9", "confirmed at another time 7", "covered 5", "read late 5", "never confirmed 2", "not covered 1",
			}
			if diff := cmp.Diff(want, byUpdate(t, x)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConfirm_WhileSegmentsAreMerged_OrdersByTheNewTimes(t *testing.T) {
	x := index.Sized(1, 3, 0, 100)
	x.HoldMerges()
	for n := range 3 {
		stated(t, x, fmt.Sprint("v", n), uint64(n+1), n+1)
	}
	install := x.BeginMerge("t")
	x.Confirm("t", index.Confirmation{AsOf: 1, At: day(9).UnixMicro()})
	install()
	if diff := cmp.Diff([]string{"v0 9", "v2 3", "v1 2"}, byUpdate(t, x)); diff != "" || x.Segments("t") != 1 {
		t.Errorf("%d segments: %s", x.Segments("t"), diff)
	}
}

func TestListing_NotConfirmed_IsNotCopied(t *testing.T) {
	x := index.Sized(1, 2, 100, 100)
	stated(t, x, "in a segment", 1, 1)
	if l := x.Search("t", index.Query{Limit: 1}).Listings[0]; testing.AllocsPerRun(10, func() { l.JSON() }) != 0 {
		t.Error("the JSON of a listing that shows what it states is made anew")
	}
}
