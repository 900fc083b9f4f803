package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seeds are valid payloads of a schema file: its examples and some that use every member.
func seeds(t testing.TB, file string) []any {
	t.Helper()
	b, ok := SchemaFile(file)
	if !ok {
		t.Fatalf("no schema %s", file)
	}
	return append(list(object(decode(t, string(b)))["examples"]), fullSeeds(t)[file]...)
}

func fullSeeds(t testing.TB) map[string][]any {
	vehicle := `{"dealer_id":"d","vehicle_id":"v1","vin":"4T1DAACK5SU512044","stock":"T1","rooftop":null,"vehicle_type":"car","body":"suv",
		"year":2024,"make":"Toyota","model":"RAV4","trim":"XLE","condition":"used","status":"pending","msrp":30000,"list_price":29000,"price":29500,
		"fees":[{"name":"Doc","amount":85}],"mileage":1200,"transmission":"cvt","driveline":"awd","engine":"2.5L","displacement_cc":2487,"fuel":"phev",
		"city_mpg":40,"highway_mpg":38,"electric_range_mi":42.5,"battery_kwh":18.1,"motor_power_hp":219,"dc_fast_charge":false,"charge_port":null,
		"exterior_color":"Blue","interior_color":"Black","features":["Heated seats"],"photos":["https://a.example/1.jpg"],"vdp_url":"https://a.example/v1",
		"description":"x","notes":"y","other_attributes":{"a":1,"b":[true,"x"]},"inventory_date":"2026-04-21","updated_at":"2026-04-30T08:42:00Z",
		"evidence":{"source":"s","observed_at":"2026-04-30T08:42:00Z","event_id":"e"},"extra":{"x":[1]}}`
	filters := `{"make":["a"],"model":[],"trim":["t"],"condition":["new"],"vehicle_type":["rv"],"status":["available"],"body":["b"],"transmission":["t"],
		"fuel":["f"],"driveline":["d"],"exterior_color":["e"],"interior_color":["i"],"rooftops":["r"],"charge_port":["NACS"],"year_min":2000,"year_max":2026,
		"price_min":1,"price_max":99,"mileage_max":5,"displacement_cc_min":1,"displacement_cc_max":2,"electric_range_mi_min":0.5,"electric_range_mi_max":400,
		"dc_fast_charge":true,"vin":"4T1DAACK5SU512044","stock":"T1","query":"q","geo":{"latitude":37.8,"longitude":-122.27,"radius_mi":0.1}}`
	rooftop := `{"name":"R","legal_name":"L","website":"https://r.example","geo":{"latitude":1,"longitude":2},"emails":[{"name":"n","value":"v"}],
		"phones":[{"value":"v"}],"address":{"address_line_1":"a","address_line_2":"b","city":"c","state":"s","zip":"z","country":"US"},
		"schedules":[{"name":"sales","value":{"monday":{"open":"09:00","close":"18:00"},"tuesday":null}}],"timezone":"UTC","notes":"n","capabilities":["c"],
		"fees":[{"name":"f","amount":0}]}`
	facets := `{"makes":[{"value":"a","count":1}],"years":[{"value":2024,"count":2}],"dc_fast_charge":[{"value":true,"count":1}],"price_range":{"min":1,"max":2.5}}`
	one := func(s string) []any { return []any{decode(t, s)} }
	return map[string][]any{
		"dealer-information-response.schema.json": one(`{"type":"dealer.information.response","data":{"name":"D","welcome_message":"w","rooftops":[` + rooftop + `]},"message":"m"}`),
		"inventory-facets-request.schema.json":    one(`{"type":"inventory.facets.request","filters":` + filters + `}`),
		"inventory-facets-response.schema.json":   one(`{"type":"inventory.facets.response","data":` + facets + `,"message":"m"}`),
		"inventory-search-request.schema.json": one(`{"type":"inventory.search.request","filters":` + filters + `,"pagination":{"limit":5,"cursor":"c"},
			"sort":{"field":"make","order":"desc"},"privacy":{"anonymous":false}}`),
		"inventory-search-response.schema.json":  one(`{"type":"inventory.search.response","data":{"total":1,"limit":20,"next_cursor":"c","vehicles":[` + vehicle + `],"facets":` + facets + `}}`),
		"inventory-vehicle-request.schema.json":  one(`{"type":"inventory.vehicle.request","vin":"4T1DAACK5SU512044","stock":"T1","vehicle_id":"v1"}`),
		"inventory-vehicle-response.schema.json": one(`{"type":"inventory.vehicle.response","data":` + vehicle + `,"message":"m"}`),
		"lead-submit-request.schema.json": one(`{"type":"lead.submit.request","customer":{"first_name":"a","last_name":"b","email":"a@b.example","phone":"+15105550117",
			"preferred_contact":"any","address":{"zip":"z"}},"consent":{"granted_at":"2026-04-30T11:05:00Z","expires_at":"2027-04-30T11:05:00Z","allowed_channels":["email","phone","sms"],
			"consent_text":"yes","scope":["lead_submission"]},"source_agent":{"name":"n","url":"https://a.example","agent_card_url":"https://a.example/c"},"idempotency_key":"k",
			"vehicle_of_interest":` + vehicle + `,"trade_in":{"condition":"good","year":2010},"appointment":{"appointment_type":"test_drive","appointment_at":"2026-05-03T11:00:00-07:00",
			"duration_minutes":15,"notes":"n"},"message":"m","submitted_at":"2026-04-30T11:05:08Z"}`),
		"lead-submit-response.schema.json": one(`{"type":"lead.submit.response","data":{"lead_id":"l","status":"duplicate","appointment":{"appointment_id":"a","status":"confirmed",
			"confirmed_at":"2026-05-03T11:00:00-07:00","proposed_times":["2026-05-03T11:00:00-07:00"]},"dealer":{"name":"n","phone":"+15105550117"}},"message":"m"}`),
	}
}

// replacements are values that sit at the edges of some rule.
var replacements = []any{
	nil, true, false, "", " ", "x", "new", "used", "good", "available", "email", "any", "test_drive", "lead_submission", "asc", "price",
	"4T1DAACK5SU512044", "4T1DAACK5SU51204", "+15105550117", "+0", "a@b.example", "a@", "https://a.example", "/a", "2026-04-30", "2026-04-30T08:42:00Z",
	"2026-04-30t08:42:00z", "2026-04-30T23:59:60Z", "2026-04-30T08:42:60Z", "2026-04-30T08:42:00", "2026-04-30T+8:42:00Z", "09:00", "24:00",
	"dealer.information.request", "inventory.search.request", "inventory.search.response", "lead.submit.request", "aap.error", "RATE_LIMITED",
	strings.Repeat("é", 120), strings.Repeat("é", 121), strings.Repeat("n", 128), strings.Repeat("n", 129), strings.Repeat("n", 200), strings.Repeat("n", 2001),
	json.Number("0"), json.Number("-0"), json.Number("-1"), json.Number("1"), json.Number("1.0"), json.Number("1.5"), json.Number("14"), json.Number("15"),
	json.Number("90"), json.Number("90.0000000000000000000000001"), json.Number("100"), json.Number("101"), json.Number("1900"), json.Number("2100"),
	json.Number("2100.0"), json.Number("2.1e3"), json.Number("2101"), json.Number("1e-300"), json.Number("99999999999999999999"),
	[]any{}, []any{"x"}, []any{"email", "email"}, []any{"new", "fair"}, []any{nil}, []any{[]any{}}, []any{map[string]any{}},
	map[string]any{}, map[string]any{"name": "x", "amount": json.Number("1")}, map[string]any{"value": "x"}, map[string]any{"type": "x"},
}

var names = []string{
	"", "type", "Type", "extra", "vin", "stock", "vehicle_id", "condition", "status", "filters", "email", "phone", "customer", "consent", "vehicle_of_interest",
	"appointment", "appointment_type", "data", "message", "fees", "geo", "latitude", "a/b~c", strings.Repeat("n", 300),
}

// slot is one place in a payload that can be changed.
type slot struct {
	path   string
	parent any // map[string]any or []any
	name   string
	index  int
}

func (s slot) get() any {
	if m, ok := s.parent.(map[string]any); ok {
		return m[s.name]
	}
	return s.parent.([]any)[s.index]
}

func (s slot) set(v any) {
	if m, ok := s.parent.(map[string]any); ok {
		m[s.name] = v
		return
	}
	s.parent.([]any)[s.index] = v
}

// slots lists the places of a payload in a fixed order.
func slots(v any, path string) []slot {
	var out []slot
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out = append(out, slot{path: path + "/" + name, parent: v, name: name})
			out = append(out, slots(v[name], path+"/"+name)...)
		}
	case []any:
		for i := range v {
			at := path + "/" + strconv.Itoa(i)
			out = append(out, slot{path: at, parent: v, index: i})
			out = append(out, slots(v[i], at)...)
		}
	}
	return out
}

func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = clone(member)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	default:
		return v
	}
}

// mutate changes one thing of a payload in place and returns it; pick(n) chooses from [0, n).
func mutate(pick func(n int) int, v any) any {
	places := slots(v, "")
	if len(places) == 0 || pick(40) == 0 {
		return clone(replacements[pick(len(replacements))])
	}
	s := places[pick(len(places))]
	object, _ := s.parent.(map[string]any)
	switch pick(6) {
	case 0: // leave out
		if object != nil {
			delete(object, s.name)
			break
		}
		s.set(nil)
	case 1: // rename
		if object != nil {
			object[names[pick(len(names))]] = s.get()
			delete(object, s.name)
		}
	case 2: // add
		switch value := s.get().(type) {
		case map[string]any:
			value[names[pick(len(names))]] = clone(replacements[pick(len(replacements))])
		case []any:
			s.set(append(value, clone(replacements[pick(len(replacements))])))
		}
	case 3: // copy from elsewhere
		s.set(clone(places[pick(len(places))].get()))
	default:
		s.set(clone(replacements[pick(len(replacements))]))
	}
	return v
}
