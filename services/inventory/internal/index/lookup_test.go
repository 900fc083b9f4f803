package index_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// known is what a look-up tells, without the listing itself.
type known struct {
	JSON        string
	Seen, Split bool
}

func TestLookup_EqualsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := stocked(t)
		for range 5 {
			h.change(t, rapid.IntRange(0, 4).Draw(t, "changes"))
			var by index.Identity
			if rapid.Bool().Draw(t, "by id") {
				by.VehicleID = "v" + strconv.Itoa(rapid.IntRange(0, 45).Draw(t, "id"))
			}
			if rapid.Bool().Draw(t, "by vin") {
				by.VIN = vins.Draw(t, "vin")
			}
			if rapid.Bool().Draw(t, "by stock") {
				by.Stock = words("A1", "b2", "C3").Draw(t, "stock")
			}
			if by == (index.Identity{}) {
				continue
			}
			found := h.index.Lookup("t", by)
			got := known{Seen: found.Seen, Split: found.Split}
			if found.Listing != nil {
				got.JSON = string(found.Listing.JSON())
			}
			if diff := cmp.Diff(h.lookup(t, by), got); diff != "" {
				t.Errorf("%+v (-model +index)\n%s", by, diff)
			}
			id := "v" + strconv.Itoa(rapid.IntRange(0, 45).Draw(t, "known"))
			_, listed := h.listed[id]
			_, gone := h.gone[id]
			if got := h.index.Knows("t", id); got != (listed || gone) {
				t.Errorf("%s: knows = %t", id, got)
			}
		}
	})
}

// lookup is what the model tells.
func (h *history) lookup(t *rapid.T, by index.Identity) known {
	var got known
	var has [3]bool // whether some vehicle has the part
	agrees := func(id index.Identity) bool {
		all := true
		for i, part := range []struct{ wanted, has string }{
			{by.VehicleID, id.VehicleID}, {strings.ToUpper(by.VIN), strings.ToUpper(id.VIN)}, {strings.ToUpper(by.Stock), strings.ToUpper(id.Stock)},
		} {
			same := part.wanted == part.has
			has[i] = has[i] || part.wanted == "" || same
			all = all && (part.wanted == "" || same)
		}
		return all
	}
	for _, c := range h.cars(t) {
		id := c.text("vehicle_id")
		if agrees(h.listed[id].listing.Identity) && got.JSON == "" { // cars are by vehicle id
			got.JSON = string(h.shown(t, id))
		}
	}
	for _, id := range h.gone {
		if agrees(id) {
			got.Seen = true
		}
	}
	got.Split = got.JSON == "" && !got.Seen && has == [3]bool{true, true, true}
	return got
}

func TestLookup_VehiclesThatComeAndGo_AreRememberedByTheirLastIdentity(t *testing.T) {
	x := new(index.Index)
	for n := range 3000 { // so many that what is known of the gone is tidied
		id := "v" + strconv.Itoa(n%3)
		x.Put("t", uint64(n+1), parse(t, vehicle.Vehicle{"vehicle_id": id, "stock": "S" + strconv.Itoa(n)}))
		x.Remove("t", index.Identity{VehicleID: id, Stock: "S" + strconv.Itoa(n)})
	}
	got := make(map[string]index.Lookup)
	for _, stock := range []string{"S10", "S2996", "s2997", "S2998", "S2999"} {
		got[stock] = x.Lookup("t", index.Identity{Stock: stock})
	}
	want := map[string]index.Lookup{"S10": {}, "S2996": {}, "s2997": {Seen: true}, "S2998": {Seen: true}, "S2999": {Seen: true}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(index.Listing{})); diff != "" {
		t.Error(diff)
	}
}
