package vehicle_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

func decode(t testing.TB, text string) vehicle.Vehicle {
	t.Helper()
	v, err := contract.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(map[string]any)
}

func TestJSON_IsCanonical(t *testing.T) {
	for name, c := range map[string]struct{ from, want string }{
		"known members in their order, extra ones by name": {
			`{"zz":1,"updated_at":"t","aa":2,"price":3,"vehicle_id":"v"}`, `{"vehicle_id":"v","price":3,"updated_at":"t","aa":2,"zz":1}`},
		"nested objects by name": {`{"fees":[{"name":"Doc","amount":85}]}`, `{"fees":[{"amount":85,"name":"Doc"}]}`},
		"whole numbers as integers": {`{"price":25000.0,"msrp":2.5e4,"battery_kwh":18.10,"x":1e300}`,
			`{"msrp":25000,"price":25000,"battery_kwh":18.10,"x":1e300}`},
		"null, booleans and empty lists stay": {`{"charge_port":null,"dc_fast_charge":false,"fees":[]}`,
			`{"fees":[],"dc_fast_charge":false,"charge_port":null}`},
		"text without needless escapes": {`{"description":"\u00e9 <b>\"\n\u2028"}`, "{\"description\":\"é <b>\\\"\\n\u2028\"}"},
		"nothing":                       {`{}`, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := decode(t, c.from).JSON()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			again, err := decode(t, string(got)).JSON()
			if err != nil || string(again) != string(got) {
				t.Errorf("encoding again gives %s, %v", again, err)
			}
		})
	}
}

func TestJSON_KnowsEveryMemberOfTheContract(t *testing.T) {
	text, ok := contract.SchemaFile("vehicle.schema.json")
	if !ok {
		t.Fatal("no vehicle schema")
	}
	var schema struct{ Properties map[string]any }
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for name := range schema.Properties {
		if !vehicle.Known(name) {
			t.Errorf("%s has no place in the canonical order", name)
		}
	}
}

func TestSame_IgnoresWhenItWasSaid(t *testing.T) {
	base := `{"vehicle_id":"v","price":9000,"updated_at":"2026-01-01T00:00:00Z"}`
	for text, want := range map[string]bool{
		`{"vehicle_id":"v","price":9000,"updated_at":"2027-01-01T00:00:00Z","evidence":{"source":"x"}}`: true,
		`{"updated_at":"2027-01-01T00:00:00Z", "price":9000.0, "vehicle_id":"\u0076"}`:                  true,
		`{"vehicle_id":"v","price":9000}`:                                    true,
		`{"vehicle_id":"v","price":9000,"evidence":{}}`:                      true,
		`{"vehicle_id":"v","price":9001}`:                                    false,
		`{"vehicle_id":"v"}`:                                                 false,
		`{"vehicle_id":"v","price":9000,"x":null}`:                           false,
		`{"vehicle_id":"v","price":9000,"updated_at":"2026-01-01T00:00:00Z"`: false,
		`[]`: false,
	} {
		if got := vehicle.Same([]byte(base), []byte(text)); got != want {
			t.Errorf("%s: same = %t, want %t", text, got, want)
		}
	}
}

func TestFactsSum_RefusesWhatIsNoVehicle(t *testing.T) {
	for _, text := range []string{``, `[]`, `{"a":1,"a":2}`, `{"a":"\xff"}`, `{} {}`} {
		if _, err := vehicle.FactsSum([]byte(text)); !errors.Is(err, vehicle.ErrInvalid) {
			t.Errorf("%s: err = %v, want ErrInvalid", text, err)
		}
	}
}

func TestIdentify_ReadsTheNamesOfAVehicle(t *testing.T) {
	for text, want := range map[string]vehicle.Identity{
		`{"dealer_id":"d","vehicle_id":"v","vin":"X","stock":"S","price":1}`: {VehicleID: "v", VIN: "X", Stock: "S"},
		`{"vehicle_id":"v","stock":"S"}`:                                     {VehicleID: "v", Stock: "S"},
		`{"vehicle_id":"v","stock":"\"1\"","x":{}}`:                          {VehicleID: "v", Stock: `"1"`},
		`{"make":"Kia"}`: {},
		`{}`:             {},
	} {
		if got, err := vehicle.Identify([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{``, `{"vin":7}`, `{"stock":null}`, `"v"`} {
		if _, err := vehicle.Identify([]byte(text)); !errors.Is(err, vehicle.ErrInvalid) {
			t.Errorf("%s: err = %v, want ErrInvalid", text, err)
		}
	}
}
