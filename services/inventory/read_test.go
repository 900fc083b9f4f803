package inventory_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// valid checks a payload against a contract schema.
func valid(t testing.TB, schema string, payload []byte) {
	t.Helper()
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	value, err := contract.DecodeJSON(payload)
	if err != nil {
		t.Fatal(err)
	}
	if fault := check.Document(schema, value); fault != nil {
		t.Errorf("%s: %+v", schema, fault.Problems)
	}
}

func TestGetVehicle(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, toyota, `[
		{"vehicle_id":"a","vin":"1M8GDM9AXKP042788","stock":"S1","status":"available","rooftop":"san jose"},
		{"vehicle_id":"b","vin":"1M8GDM9AXKP042789","stock":"S2","status":"pending"},
		{"vehicle_id":"c","vin":"1M8GDM9AXKP042787","stock":"S3","status":"intransit"}]`)
	load(t, svc.js, toyota, `[{"vehicle_id":"c","status":"sold"}]`)
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 2 })
	for name, c := range map[string]struct {
		vin, stock, id string
		want, rooftop  string        // vehicle id, and where it is
		code           contract.Code // instead
		at             []string      // the identifiers it explains
	}{
		"by vehicle id":        {id: "a", want: "a", rooftop: "San Jose"},
		"by vin":               {vin: "1M8GDM9AXKP042789", want: "b"},
		"by stock":             {stock: "s1", want: "a", rooftop: "San Jose"},
		"by all":               {vin: "1M8GDM9AXKP042788", stock: "S1", id: "a", want: "a", rooftop: "San Jose"},
		"of different ones":    {vin: "1M8GDM9AXKP042788", stock: "S2", code: contract.VehicleNotFound, at: []string{"/vin", "/stock"}},
		"never seen":           {stock: "S9", code: contract.VehicleNotFound, at: []string{"/stock"}},
		"sold, by vin":         {vin: "1M8GDM9AXKP042787", code: contract.VehicleUnavailable, at: []string{"/vin"}},
		"sold, by stock":       {stock: "S3", code: contract.VehicleUnavailable, at: []string{"/stock"}},
		"sold, by vehicle id":  {id: "c", code: contract.VehicleUnavailable, at: []string{"/vehicle_id"}},
		"named by nothing":     {code: contract.SchemaValidationFailed, at: []string{""}},
		"named by empty texts": {stock: "", code: contract.SchemaValidationFailed, at: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := svc.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{
				Tenant: "demo-toyota", Vin: &c.vin, Stock: &c.stock, VehicleId: &c.id,
			})
			if c.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				if got := ids(t, [][]byte{resp.GetListing()})[0]; got != c.want || resp.GetRooftop() != c.rooftop {
					t.Errorf("vehicle %q at %q, want %q at %q", got, resp.GetRooftop(), c.want, c.rooftop)
				}
				return
			}
			f := fault(t, err)
			var at []string
			for _, p := range f.Problems {
				at = append(at, p.InstanceLocation)
			}
			if f.Code != c.code || !cmp.Equal(at, c.at) {
				t.Errorf("fault = %+v", f)
			}
		})
	}
}

func TestFacets_OfAFilteredStock(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, toyota, `[
		{"vehicle_id":"a","make":"Toyota","model":"Camry","year":2024,"price":30000,"status":"available","rooftop":"Oakland"},
		{"vehicle_id":"b","make":"Toyota","model":"RAV4","year":2025,"price":35000,"status":"available","dc_fast_charge":false},
		{"vehicle_id":"c","make":"toyota","model":"Camry","year":2025,"status":"pending","charge_port":"NACS"},
		{"vehicle_id":"d","make":"Kia","model":"EV6","year":2025,"status":"available"}]`)
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 4 })
	resp, err := svc.Facets(t.Context(), &inventoryv1.FacetsRequest{Tenant: "demo-toyota", Filters: &inventoryv1.Filters{Make: []string{"TOYOTA"}}})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "facets.schema.json", resp.GetFacets())
	var got, want any
	if err := json.Unmarshal(resp.GetFacets(), &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(`{
		"makes":[{"value":"Toyota","count":3}], "models":[{"value":"Camry","count":2},{"value":"RAV4","count":1}], "trims":[],
		"years":[{"value":2025,"count":2},{"value":2024,"count":1}], "conditions":[], "transmissions":[], "fuels":[], "drivelines":[],
		"bodies":[], "vehicle_types":[{"value":"car","count":3}], "exterior_colors":[], "interior_colors":[],
		"rooftops":[{"value":"Oakland","count":1}], "statuses":[{"value":"available","count":2},{"value":"pending","count":1}],
		"dc_fast_charge":[{"value":false,"count":1}], "charge_ports":[{"value":"NACS","count":1}],
		"price_range":{"min":30000,"max":35000}, "year_range":{"min":2024,"max":2025}}`), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGetDealer_IsThePublicPartOfTheTenantDocument(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	resp, err := svc.GetDealer(t.Context(), &inventoryv1.GetDealerRequest{Tenant: "demo-toyota"})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, "dealer-information.schema.json", resp.GetDealer())
	want := `{"name":"Demo Toyota","welcome_message":"Hello.","rooftops":[` +
		`{"name":"Oakland","geo":{"latitude":37.8044,"longitude":-122.2712},"timezone":"America/Los_Angeles"},` +
		`{"name":"San Jose","geo":{"latitude":37.3382,"longitude":-121.8863}}]}`
	if diff := cmp.Diff(want, string(resp.GetDealer())); diff != "" {
		t.Error(diff)
	}
}

func TestSearch_GeoMeasuresToTheRooftop(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, toyota, `[
		{"vehicle_id":"oakland","status":"available","rooftop":"OAKLAND"},
		{"vehicle_id":"san-jose","status":"available","rooftop":"San Jose"},
		{"vehicle_id":"nowhere","status":"available"}]`)
	load(t, svc.js, lexus, `[{"vehicle_id":"main","status":"available"}]`)
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 3 && svc.total(t, "demo-lexus") == 1 })
	for name, c := range map[string]struct {
		tenant string
		geo    *inventoryv1.Geo // Oakland and San Jose are 38.6 miles apart
		want   []string
	}{
		"at the rooftop":               {"demo-toyota", &inventoryv1.Geo{Latitude: 37.8044, Longitude: -122.2712, RadiusMi: 1}, []string{"oakland"}},
		"just too far":                 {"demo-toyota", &inventoryv1.Geo{Latitude: 37.8044, Longitude: -122.2712, RadiusMi: 38}, []string{"oakland"}},
		"just within":                  {"demo-toyota", &inventoryv1.Geo{Latitude: 37.8044, Longitude: -122.2712, RadiusMi: 39}, []string{"oakland", "san-jose"}},
		"only rooftop of a dealership": {"demo-lexus", &inventoryv1.Geo{Latitude: 40.7, Longitude: -74, RadiusMi: 5}, []string{"main"}},
		"on the other side":            {"demo-lexus", &inventoryv1.Geo{Latitude: -40.7, Longitude: 106, RadiusMi: 5}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			resp := svc.search(t, &inventoryv1.SearchRequest{Tenant: c.tenant, Limit: 10, Filters: &inventoryv1.Filters{Geo: c.geo}})
			if diff := cmp.Diff(c.want, ids(t, resp.GetListings())); diff != "" {
				t.Error(diff)
			}
		})
	}
}
