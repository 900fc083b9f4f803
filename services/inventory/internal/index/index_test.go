package index_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

func listing(t testing.TB, v vehicle.Vehicle) *index.Listing {
	t.Helper()
	encoded, err := v.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return index.NewListing(v, encoded)
}

// vehicleID reads which vehicle a listing is of.
func vehicleID(t rapid.TB, l *index.Listing) string {
	t.Helper()
	var of struct {
		VehicleID string `json:"vehicle_id"`
	}
	if err := json.Unmarshal(l.JSON, &of); err != nil {
		t.Fatal(err)
	}
	return of.VehicleID
}

func TestFacets_ValuesThatDifferInCaseAreOne(t *testing.T) {
	x := new(index.Index)
	for i, name := range []string{"Kia", "KIA", "Kia", "Audi", "audi", "BMW"} {
		x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": strconv.Itoa(i), "make": name}))
	}
	want := []index.Count{{Value: "Kia", Count: 3}, {Value: "Audi", Count: 2}, {Value: "BMW", Count: 1}}
	if diff := cmp.Diff(want, x.Facets("t", index.Filters{}).Makes); diff != "" {
		t.Error(diff)
	}
}

func TestFacets_AbsentTypeIsCar(t *testing.T) {
	x := new(index.Index)
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "1"}))
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "2", "vehicle_type": "car"}))
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "3", "vehicle_type": "rv"}))
	want := []index.Count{{Value: "car", Count: 2}, {Value: "rv", Count: 1}}
	if diff := cmp.Diff(want, x.Facets("t", index.Filters{}).VehicleTypes); diff != "" {
		t.Error(diff)
	}
}

func TestLookup_EveryGivenPartMustAgree(t *testing.T) {
	x := new(index.Index)
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "a", "vin": "1M8GDM9AXKP042788", "stock": "S1"}))
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "b", "vin": "1M8GDM9AXKP042789", "stock": "S2"}))
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "c", "stock": "S2"}))
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
				got.ID = vehicleID(t, found.Listing)
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
		x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": strconv.Itoa(i % 5), "price": json.Number(strconv.Itoa(i))}))
	}
	x.Remove("t", index.Identity{VehicleID: "3"})
	x.Remove("t", index.Identity{VehicleID: "0"})
	x.Remove("t", index.Identity{VehicleID: "never"})
	x.Put("t", listing(t, vehicle.Vehicle{"vehicle_id": "3", "price": json.Number("30")}))
	var got []string
	for _, l := range x.Search("t", index.Query{Limit: 10}).Listings {
		got = append(got, string(l.JSON))
	}
	want := []string{
		`{"vehicle_id":"1","price":6}`, `{"vehicle_id":"2","price":7}`, `{"vehicle_id":"3","price":30}`, `{"vehicle_id":"4","price":9}`,
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
	x.Put("a", listing(t, vehicle.Vehicle{"vehicle_id": "1", "make": "Kia"}))
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

// BenchmarkSearch shows the cost of a query over 10,000 listings.
func BenchmarkSearch(b *testing.B) {
	x := new(index.Index)
	for i := range 10_000 {
		x.Put("t", listing(b, vehicle.Vehicle{
			"vehicle_id": fmt.Sprintf("v%05d", i), "make": []string{"Toyota", "Kia", "BMW"}[i%3], "model": fmt.Sprintf("M%d", i%40),
			"price": json.Number(strconv.Itoa(60000 - i)), "year": json.Number(strconv.Itoa(2010 + i%15)), "status": "available",
			"updated_at": "2026-01-01T00:00:00Z", "description": "One owner, full service history, heated seats and a panoramic roof.",
		}))
	}
	high := 45000.0
	for name, q := range map[string]index.Query{
		"all by price":   {Sort: index.Sort{Field: "price"}, Limit: 100},
		"make and price": {Filters: index.Filters{Terms: map[index.Term][]string{index.Make: {"toyota"}}, Ranges: map[index.Number]index.Range{index.Price: {Max: &high}}}, Limit: 20},
		"free text":      {Filters: index.Filters{Query: "toyota panoramic 2015"}, Limit: 20},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x.Search("t", q)
			}
		})
	}
	b.Run("facets", func(b *testing.B) {
		for b.Loop() {
			x.Facets("t", index.Filters{})
		}
	})
}
