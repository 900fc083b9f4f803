package tenant_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

const twoRooftops = `
id: demo
name: Demo
skills: [inventory.search, lead.submit]
origins: [https://demo.example]
disabled_filters: [query, geo]
feed:
  price_includes_fees: true
  dialect: provider-csv
  mileage_unit: km
  mapping: {vin: Chassis No, price: [Web Price, Price]}
appointments: {slot_minutes: 45, capacity: 2, notice_minutes: 0, horizon_days: 30}
leads: {duplicate_window_hours: 0}
rooftops:
  - name: North
    geo: {latitude: 37.5, longitude: -122.25}
    phones: [{name: Sales, value: "+15105550142"}]
    address: {city: Oakland, zip: "94607"}
    timezone: America/Los_Angeles
    schedules:
      - name: sales
        value: {monday: {open: "09:00", close: "19:30"}, sunday: null}
    fees: [{name: Documentation fee, amount: 85}]
  - name: South
`

func parse(t *testing.T, text string) (*tenant.Document, error) {
	t.Helper()
	v, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	return tenant.Parse([]byte(text), v)
}

func mustParse(t *testing.T, text string) *tenant.Document {
	t.Helper()
	d, err := parse(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestParse_ReadsTheWholeDocument(t *testing.T) {
	want := &tenant.Document{
		ID: "demo", Name: "Demo",
		Skills:          []contract.SkillID{contract.InventorySearch, contract.LeadSubmit},
		DisabledFilters: []string{"query", "geo"},
		Origins:         []string{"https://demo.example"},
		Feed: tenant.Feed{
			PriceIncludesFees: true, Dialect: "provider-csv", MileageUnit: "km",
			Mapping: map[string]tenant.HeaderNames{"vin": {"Chassis No"}, "price": {"Web Price", "Price"}},
		},
		Appointments: tenant.Appointments{SlotMinutes: 45, Capacity: 2, NoticeMinutes: new(0), HorizonDays: 30},
		Leads:        tenant.Leads{DuplicateWindowHours: new(0)},
		Rooftops: []tenant.Rooftop{
			{
				Name:     "North",
				Geo:      &tenant.Geo{Latitude: 37.5, Longitude: -122.25},
				Phones:   []tenant.NamedValue{{Name: "Sales", Value: "+15105550142"}},
				Address:  map[string]string{"city": "Oakland", "zip": "94607"},
				Timezone: "America/Los_Angeles",
				Schedules: []tenant.Schedule{{Name: "sales", Value: map[string]*tenant.Hours{
					"monday": {Open: "09:00", Close: "19:30"}, "sunday": nil,
				}}},
				Fees: []tenant.Fee{{Name: "Documentation fee", Amount: 85}},
			},
			{Name: "South"},
		},
	}
	if diff := cmp.Diff(want, mustParse(t, twoRooftops)); diff != "" {
		t.Error(diff)
	}
}

func TestYAML_ReadsBackTheSame(t *testing.T) {
	want := mustParse(t, twoRooftops)
	text, err := want.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, mustParse(t, string(text))); diff != "" {
		t.Error(diff)
	}
}

func TestParse_RefusesWithEveryProblem(t *testing.T) {
	for _, c := range []struct {
		name, text string
		// want are the places and keywords of the problems.
		want []string
	}{
		{"schema", "id: Demo_1\nname: x\nroofs: []\n", []string{"/id pattern", "/roofs additionalProperties", "/rooftops required"}},
		{
			"both kinds at once",
			`{id: a, roofs: [], rooftops: [{timezone: Mars/Olympus}, {phones: 1, timezone: Mars/Olympus, schedules: [{value: {monday: {open: "09:00"}}}]}]}`,
			[]string{
				"/name required", "/roofs additionalProperties", "/rooftops/0/name required", "/rooftops/1/name required", "/rooftops/1/phones type",
				"/rooftops/1/schedules/0/value/monday/close required",
				"/rooftops/0/timezone timezone", "/rooftops/1/timezone timezone",
			},
		},
		{
			"what a schema cannot say",
			`{id: a, name: A, rooftops: [
				{name: X, timezone: Mars/Olympus},
				{name: x, timezone: Local, schedules: [{value: {monday: {open: "09:00", close: "09:00"}, friday: {open: "18:00", close: "09:00"}}}]}]}`,
			[]string{
				"/rooftops/1/name unique", "/rooftops/0/timezone timezone", "/rooftops/1/timezone timezone",
				"/rooftops/1/schedules/0/value/monday hours", "/rooftops/1/schedules/0/value/friday hours",
			},
		},
		{
			"hours need a zone, closed days do not",
			`{id: a, name: A, rooftops: [
				{name: X, schedules: [{value: {monday: {open: "09:00", close: "19:00"}}}]},
				{name: Z, schedules: [{value: {sunday: null}}]}]}`,
			[]string{"/rooftops/0/timezone timezone"},
		},
		{
			"a department has one schedule",
			`{id: a, name: A, rooftops: [{name: X, schedules: [{name: sales, value: {}}, {value: {}}, {name: Sales, value: {}}, {value: {}}]}]}`,
			[]string{"/rooftops/0/schedules/2/name unique", "/rooftops/0/schedules/3/name unique"},
		},
		{
			"less than the least",
			`{id: a, name: A, rooftops: [{name: X}], leads: {duplicate_window_hours: -1},
				appointments: {slot_minutes: 0, capacity: 0, notice_minutes: -1, horizon_days: 0}}`,
			[]string{
				"/appointments/capacity minimum", "/appointments/horizon_days minimum", "/appointments/notice_minutes minimum",
				"/appointments/slot_minutes minimum", "/leads/duplicate_window_hours minimum",
			},
		},
		{
			"more than the most",
			`{id: a, name: A, rooftops: [{name: X}], leads: {duplicate_window_hours: 169},
				appointments: {slot_minutes: 481, capacity: 1001, notice_minutes: 43201, horizon_days: 1e30}}`,
			[]string{
				"/appointments/capacity maximum", "/appointments/horizon_days maximum", "/appointments/notice_minutes maximum",
				"/appointments/slot_minutes maximum", "/leads/duplicate_window_hours maximum",
			},
		},
		{
			"settings that are no whole number do not hide what else is wrong",
			`{id: a, name: A, rooftops: [{name: X, timezone: Mars/Olympus}], leads: {duplicate_window_hours: null, window: 1},
				appointments: {slot_minutes: "30", capacity: 1.5, notice_minutes: 1h, horizon_days: true, slots: 1}}`,
			[]string{
				"/appointments/capacity type", "/appointments/horizon_days type", "/appointments/notice_minutes type",
				"/appointments/slot_minutes type", "/appointments/slots additionalProperties",
				"/leads/duplicate_window_hours type", "/leads/window additionalProperties", "/rooftops/0/timezone timezone",
			},
		},
		{
			"a notice beyond the horizon",
			`{id: a, name: A, rooftops: [{name: X}], appointments: {notice_minutes: 1441, horizon_days: 1}}`,
			[]string{"/appointments/notice_minutes notice"},
		},
		{
			"settings that are no object",
			`{id: a, name: A, rooftops: [{name: X}], leads: [24], appointments: 30}`,
			[]string{"/appointments type", "/leads type"},
		},
		{
			"places outside the earth",
			`{id: a, name: A, rooftops: [{name: X, geo: {latitude: 90.1, longitude: -180.1}}, {name: Z, geo: {latitude: 1}}]}`,
			[]string{"/rooftops/0/geo/latitude maximum", "/rooftops/0/geo/longitude minimum", "/rooftops/1/geo/longitude required"},
		},
		{
			"filters and feed settings that do not exist",
			`{id: a, name: A, rooftops: [{name: X}], disabled_filters: [price, geo, geo],
				feed: {dialect: csv, mileage_unit: miles, mapping: {colour: Colour}}}`,
			[]string{
				"/disabled_filters uniqueItems", "/disabled_filters/0 enum", "/feed/dialect enum",
				"/feed/mapping/colour additionalProperties", "/feed/mileage_unit enum",
			},
		},
		{
			"headers that are no header do not hide what else is wrong",
			`{id: a, name: A, rooftops: [{name: X, timezone: Mars/Olympus}], feed: {mapping: {vin: 1, stock: {a: b}, make: [Make, 2], model: "", trim: []}}}`,
			[]string{
				"/feed/mapping/make/1 type", "/feed/mapping/model minLength", "/feed/mapping/stock type", "/feed/mapping/trim minItems",
				"/feed/mapping/vin type", "/rooftops/0/timezone timezone",
			},
		},
		{
			"a header of two fields, and one that names nothing",
			`{id: a, name: A, rooftops: [{name: X}], feed: {mapping: {
				price: [Web Price, web_price], list_price: Web-Price, vin: Chassis.No, stock: [Stock, chassisno], trim: " - "}}}`,
			[]string{
				"/feed/mapping/price/0 unique", "/feed/mapping/price/1 unique", "/feed/mapping/trim header", "/feed/mapping/vin unique",
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(t, c.text)
			var fault *contract.Error
			if !errors.As(err, &fault) {
				t.Fatalf("err = %v, want a contract.Error", err)
			}
			var got []string
			for _, p := range fault.Problems {
				got = append(got, p.InstanceLocation+" "+p.Keyword)
				if p.Error == "" || p.Correction == "" {
					t.Errorf("%s says nothing: %+v", p.InstanceLocation, p)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParse_RefusesWhatIsNotOneDocument(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":           "",
		"not YAML":          "id: [",
		"a key twice":       "id: a\nid: b\n",
		"several documents": twoRooftops + "---\n" + twoRooftops,
	} {
		t.Run(name, func(t *testing.T) {
			if d, err := parse(t, text); err == nil {
				t.Errorf("read as %+v", d)
			}
		})
	}
}

func TestValidID_IsASubjectTokenAndAPathSegment(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "demo-toyota": true, "4x4": true,
		"": false, "-a": false, "a-": false, "A": false, "a.b": false, "a*": false, "a>": false, "a/b": false, "a b": false, "ä": false,
		"a\n": false,
		"a123456789b123456789c123456789d123456789e123456789f123456789abcd":  true,
		"a123456789b123456789c123456789d123456789e123456789f123456789abcde": false,
	} {
		if got := tenant.ValidID(id); got != want {
			t.Errorf("ValidID(%q) = %t, want %t", id, got, want)
		}
	}
}

func TestEnabled_NoListMeansAll_EmptyListMeansNone(t *testing.T) {
	for name, c := range map[string]struct {
		skills []contract.SkillID
		want   bool
	}{
		"no list":   {nil, true},
		"empty":     {[]contract.SkillID{}, false},
		"named":     {[]contract.SkillID{contract.LeadSubmit}, true},
		"not named": {[]contract.SkillID{contract.InventorySearch}, false},
	} {
		if got := (&tenant.Document{Skills: c.skills}).Enabled(contract.LeadSubmit); got != c.want {
			t.Errorf("%s: enabled = %t, want %t", name, got, c.want)
		}
	}
}

func TestRooftop_IsFoundByItsExactName(t *testing.T) {
	d := mustParse(t, twoRooftops)
	if got := d.Rooftop("South"); got != &d.Rooftops[1] {
		t.Errorf("South = %+v", got)
	}
	if got := d.Rooftop("south"); got != nil {
		t.Errorf("south = %+v, want none", got)
	}
}
