package feed_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/vehicle"
)

var (
	importTime = time.Date(2026, 5, 1, 6, 0, 0, 0, time.UTC)
	twoRoofs   = &tenant.Document{ID: "demo-toyota", Name: "Demo Toyota", Rooftops: []tenant.Rooftop{{Name: "Oakland"}, {Name: "San Jose"}}}
	oneRoof    = &tenant.Document{
		ID: "demo-lexus", Name: "Demo Lexus", Rooftops: []tenant.Rooftop{{Name: "Main"}}, Feed: tenant.Feed{PriceIncludesFees: true},
	}
)

var compiled = sync.OnceValues(contract.NewValidator)

func validator(t testing.TB) *contract.Validator {
	t.Helper()
	v, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func settings(doc *tenant.Document, v *contract.Validator) feed.Settings {
	return feed.Settings{Tenant: doc, File: "feed", Now: importTime, Check: v, MaxListing: feed.MaxListing}
}

func read(t testing.TB, doc *tenant.Document, text string) *feed.Feed {
	t.Helper()
	f, err := feed.Read(strings.NewReader(text), settings(doc, validator(t)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// listing is what a row says about a vehicle; nil when it is gone.
func listing(t testing.TB, row feed.Row) vehicle.Vehicle {
	t.Helper()
	if row.Gone {
		return nil
	}
	value, err := contract.DecodeJSON(row.JSON)
	if err != nil {
		t.Fatal(err)
	}
	return value.(map[string]any)
}

func TestRead_SellingPriceIsThePriceOnlyWithFeesInside(t *testing.T) {
	const text = "VIN,Make,Price\n4T1DAACK2SU512044,Toyota,24990\n"
	for _, c := range []struct {
		tenant       *tenant.Document
		member, none string
	}{{twoRoofs, "list_price", "price"}, {oneRoof, "price", "list_price"}} {
		v := listing(t, read(t, c.tenant, text).Rows[0])
		if v[c.member] != json.Number("24990") || v[c.none] != nil {
			t.Errorf("%s: %v", c.tenant.ID, v)
		}
	}
}

func TestRead_Rooftop(t *testing.T) {
	for name, c := range map[string]struct {
		tenant *tenant.Document
		row    string // dealer name, location
		want   any    // the rooftop, or nil
		bad    string // the column refused
	}{
		"any case":                           {twoRoofs, "x,oAkLaNd", "Oakland", ""},
		"by dealer name":                     {twoRoofs, "San Jose,", "San Jose", ""},
		"location goes first":                {twoRoofs, "San Jose,Oakland", "Oakland", ""},
		"the dealership's name says nothing": {twoRoofs, "DEMO TOYOTA,", nil, ""},
		"absent, one of several":             {twoRoofs, ",", nil, ""},
		"absent, the only one":               {oneRoof, ",", "Main", ""},
		"the dealership's name, only one":    {oneRoof, "Demo Lexus,", "Main", ""},
		"unknown":                            {twoRoofs, ",Mars", nil, "Location"},
		"unknown, only one":                  {oneRoof, "Mars Motors,", nil, "DealerName"},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, c.tenant, "Stock,Make,Price,DealerName,Location\nS1,Kia,9000,"+c.row+"\n")
			if c.bad != "" {
				if len(f.Problems) != 1 || f.Problems[0].Column != c.bad || len(f.Rows) != 0 {
					t.Errorf("problems = %+v", f.Problems)
				}
				return
			}
			if len(f.Rows) != 1 || listing(t, f.Rows[0])["rooftop"] != c.want {
				t.Errorf("rows = %+v, problems = %+v", f.Rows, f.Problems)
			}
		})
	}
}

func TestRead_VehicleID(t *testing.T) {
	id := func(doc *tenant.Document, row string) string {
		f := read(t, doc, "VehicleID,VIN,Stock,Make\n"+row+",Kia\n")
		if len(f.Rows) == 0 {
			return ""
		}
		return f.Rows[0].VehicleID
	}
	derived := id(twoRoofs, ",4T1DAACK2SU512044,S1")
	for name, c := range map[string]struct {
		doc  *tenant.Document
		row  string
		same bool
	}{
		"another stock number":    {twoRoofs, ",4T1DAACK2SU512044,S2", true},
		"the VIN in lower case":   {twoRoofs, ",4t1daack2su512044,", true},
		"another VIN":             {twoRoofs, ",4T1DAACK4SU512045,S1", false},
		"no VIN":                  {twoRoofs, ",,S1", false},
		"another tenant":          {oneRoof, ",4T1DAACK2SU512044,S1", false},
		"the VIN as stock number": {twoRoofs, ",,4T1DAACK2SU512044", false},
	} {
		if got := id(c.doc, c.row); got == "" || (got == derived) != c.same {
			t.Errorf("%s: %s, first %s", name, got, derived)
		}
	}
	for given, want := range map[string]string{
		"veh-4711_A": "veh-4711_A", "a.b": "", "a b": "", "*": "", ">": "", "é": "", strings.Repeat("x", 64): strings.Repeat("x", 64),
		strings.Repeat("x", 65): "",
	} {
		if got := id(twoRoofs, given+",4T1DAACK2SU512044,S1"); got != want {
			t.Errorf("vehicle id %q became %q, want %q", given, got, want)
		}
	}
}

func TestRead_Status(t *testing.T) {
	for name, c := range map[string]struct {
		row     string // status, in transit
		want    string // "" is gone
		warning bool
	}{
		"in stock":              {"In Stock,", "available", false},
		"in-transit":            {"In-Transit,", "intransit", false},
		"moving":                {"In Stock,Y", "intransit", false},
		"not moving":            {"In Stock,N", "available", false},
		"only moving":           {",Y", "intransit", false},
		"pending stays":         {"Pending,Y", "pending", false},
		"sold":                  {"SOLD,", "", false},
		"sold and moving":       {"Sold,Y", "", false},
		"unknown is not listed": {"Abducted,", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, "Stock,Make,Price,Status,InTransit\nS1,Kia,9000,"+c.row+"\n")
			if len(f.Rows) != 1 || f.Rows[0].Gone != (c.want == "") || listing(t, f.Rows[0]).Text("status") != c.want {
				t.Errorf("rows = %+v", f.Rows)
			}
			if got := len(f.Problems) == 1 && f.Problems[0].Warning; got != c.warning {
				t.Errorf("problems = %+v", f.Problems)
			}
		})
	}
}

func TestRead_FeedWithoutStatusColumn_HoldsWhatIsAvailable(t *testing.T) {
	for text, want := range map[string]string{
		"Stock,Make,Price\nS1,Kia,9000\n":               "available",
		"Stock,Make,Price,InTransit\nS1,Kia,9000,\n":    "available",
		"Stock,Make,Price,InTransit\nS1,Kia,9000,N\n":   "available",
		"Stock,Make,Price,InTransit\nS1,Kia,9000,Yes\n": "intransit",
	} {
		f := read(t, twoRoofs, text)
		if len(f.Rows) != 1 || len(f.Problems) != 0 || listing(t, f.Rows[0]).Text("status") != want {
			t.Errorf("%q: %+v %+v, want %s", text, f.Rows, f.Problems, want)
		}
	}
}

func TestRead_StatusLeftOpen_IsABadRow(t *testing.T) {
	for text, column := range map[string]string{
		"Stock,Make,Price,Vehicle Status\nS1,Kia,9000,\n":     "Vehicle Status",
		"Stock,Make,Price,Status\nS1,Kia,9000,N/A\n":          "Status",
		"Stock,Make,Price,Status,InTransit\nS1,Kia,9000,,N\n": "Status",
		`[{"stock":"S1"}]`:               "status",
		`[{"stock":"S1","status":null}]`: "status",
		`[{"stock":"S1","status":" "}]`:  "status",
	} {
		f := read(t, twoRoofs, text)
		if f.Rejected != 1 || len(f.Rows) != 0 || len(f.Problems) != 1 || f.Problems[0].Column != column || f.Problems[0].Warning {
			t.Errorf("%q: %+v %+v, want a bad row at %s", text, f.Rows, f.Problems, column)
		}
	}
}

func TestRead_Condition(t *testing.T) {
	for row, want := range map[string]any{
		"N,": "new", "New,": "new", "U,": "used", "Pre-Owned,N": "used", "CPO,": "cpo", "U,TRUE": "cpo", "Used,1": "cpo", "U,Y": "cpo",
		",Y": "cpo", "N,Y": "new", ",": nil, "Motorcycle,": nil,
	} {
		f := read(t, twoRoofs, "Stock,Make,Type,Certified\nS1,Kia,"+row+"\n")
		if len(f.Rows) != 1 || listing(t, f.Rows[0])["condition"] != want {
			t.Errorf("%q: %+v %+v", row, f.Rows, f.Problems)
		}
	}
}
