package index_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// vehicleID reads which vehicle a listing is of.
func vehicleID(t rapid.TB, l index.Listing) string {
	t.Helper()
	id, err := vehicle.Identify(l.JSON())
	if err != nil {
		t.Fatal(err)
	}
	return id.VehicleID
}

func TestFacets_ValuesThatDifferInCaseAreOne(t *testing.T) {
	x := new(index.Index)
	for i, name := range []string{"Kia", "KIA", "Kia", "Audi", "audi", "BMW"} {
		x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": strconv.Itoa(i), "make": name}))
	}
	want := []index.Count{{Value: "Kia", Count: 3}, {Value: "Audi", Count: 2}, {Value: "BMW", Count: 1}}
	if diff := cmp.Diff(want, x.Facets("t", index.Filters{}).Makes); diff != "" {
		t.Error(diff)
	}
}

func TestFacets_AbsentTypeIsCar(t *testing.T) {
	x := new(index.Index)
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "1"}))
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "2", "vehicle_type": "car"}))
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "3", "vehicle_type": "rv"}))
	want := []index.Count{{Value: "car", Count: 2}, {Value: "rv", Count: 1}}
	if diff := cmp.Diff(want, x.Facets("t", index.Filters{}).VehicleTypes); diff != "" {
		t.Error(diff)
	}
}

func TestLookup_EveryGivenPartMustAgree(t *testing.T) {
	x := new(index.Index)
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "a", "vin": "1M8GDM9AXKP042788", "stock": "S1"}))
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "b", "vin": "1M8GDM9AXKP042789", "stock": "S2"}))
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "c", "stock": "S2"}))
	x.Remove("t", index.Identity{VehicleID: "z", VIN: "1M8GDM9AXKP042780", Stock: "S9"})
	type outcome struct {
		ID          string
		Seen, Split bool
	}
	for name, c := range map[string]struct {
		by   index.Identity
		want outcome
	}{
		"vehicle id":                     {index.Identity{VehicleID: "b"}, outcome{ID: "b"}},
		"vehicle id in another case":     {index.Identity{VehicleID: "B"}, outcome{}},
		"vin":                            {index.Identity{VIN: "1M8GDM9AXKP042788"}, outcome{ID: "a"}},
		"stock in another case":          {index.Identity{Stock: "s1"}, outcome{ID: "a"}},
		"stock of two: lowest id":        {index.Identity{Stock: "S2"}, outcome{ID: "b"}},
		"all parts of one":               {index.Identity{VehicleID: "a", VIN: "1M8GDM9AXKP042788", Stock: "S1"}, outcome{ID: "a"}},
		"parts of two":                   {index.Identity{VehicleID: "a", Stock: "S2"}, outcome{Split: true}},
		"one part known, one unknown":    {index.Identity{VehicleID: "a", Stock: "S7"}, outcome{}},
		"unknown":                        {index.Identity{Stock: "S7"}, outcome{}},
		"gone, by stock":                 {index.Identity{Stock: "s9"}, outcome{Seen: true}},
		"gone, by all":                   {index.Identity{VehicleID: "z", VIN: "1M8GDM9AXKP042780", Stock: "S9"}, outcome{Seen: true}},
		"parts of one gone and one here": {index.Identity{VehicleID: "z", Stock: "S1"}, outcome{Split: true}},
	} {
		t.Run(name, func(t *testing.T) {
			found := x.Lookup("t", c.by)
			got := outcome{Seen: found.Seen, Split: found.Split}
			if found.Listing != nil {
				got.ID = vehicleID(t, *found.Listing)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestIndex_PutAndRemove_KeepOneListingPerVehicle(t *testing.T) {
	x := new(index.Index)
	for i := range 10 {
		x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": strconv.Itoa(i % 5), "price": json.Number(strconv.Itoa(i))}))
	}
	x.Remove("t", index.Identity{VehicleID: "3"})
	x.Remove("t", index.Identity{VehicleID: "0"})
	x.Remove("t", index.Identity{VehicleID: "never"})
	x.Put("t", 1, parse(t, vehicle.Vehicle{"vehicle_id": "3", "price": json.Number("30")}))
	var got []string
	for _, l := range x.Search("t", index.Query{Limit: 10}).Listings {
		got = append(got, string(l.JSON()))
	}
	var want []string
	for _, left := range []struct{ id, price string }{{"1", "6"}, {"2", "7"}, {"3", "30"}, {"4", "9"}} {
		want = append(want, string(parse(t, vehicle.Vehicle{"vehicle_id": left.id, "price": json.Number(left.price)}).JSON))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if x.Lookup("t", index.Identity{VehicleID: "3"}).Seen {
		t.Error("a vehicle that is on sale again counts as out of stock")
	}
}

func TestIndex_TenantsNeverMeet(t *testing.T) {
	x := new(index.Index)
	x.Put("a", 1, parse(t, vehicle.Vehicle{"vehicle_id": "1", "make": "Kia"}))
	x.Remove("a", index.Identity{VehicleID: "2"})
	if page := x.Search("b", index.Query{Limit: 10}); page.Total != 0 {
		t.Errorf("total = %d", page.Total)
	}
	if got := x.Lookup("b", index.Identity{VehicleID: "2"}); got != (index.Lookup{}) {
		t.Errorf("lookup = %+v", got)
	}
	if makes := x.Facets("b", index.Filters{}).Makes; len(makes) != 0 {
		t.Errorf("makes = %v", makes)
	}
}
