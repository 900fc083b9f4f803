package feed_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory/internal/feed"
)

const vin, otherVIN = "1M8GDM9AXKP042788", "4T1DAACK2SU512044"

// idsByStock reads a CSV file of VIN, stock number and rooftop.
func idsByStock(t *testing.T, rows ...string) map[string]string {
	t.Helper()
	ids := make(map[string]string)
	for _, r := range read(t, twoRoofs, "VIN,Stock,Location,Make\n"+strings.Join(rows, ",Kia\n")+",Kia\n").Rows {
		ids[r.Stock] = r.VehicleID
	}
	return ids
}

func TestRead_OneVINAtTwoRooftops_IsTwoListingsOnlyIfStockNumbersDiffer(t *testing.T) {
	for name, c := range map[string]struct {
		rows []string
		want []string // stock numbers
	}{
		"two stock numbers, two rooftops": {[]string{vin + ",A,Oakland", vin + ",B,San Jose"}, []string{"A", "B"}},
		"one stock number":                {[]string{vin + ",A,Oakland", vin + ",A,San Jose"}, []string{"A"}},
		"one rooftop":                     {[]string{vin + ",A,Oakland", vin + ",B,Oakland"}, []string{"B"}},
		"an unknown rooftop":              {[]string{vin + ",A,Oakland", vin + ",B,"}, []string{"B"}},
		"an unknown stock number":         {[]string{vin + ",A,Oakland", vin + ",,San Jose"}, []string{""}},
		"one moved, one stays":            {[]string{vin + ",A,Oakland", vin + ",B,San Jose", vin + ",A,Oakland"}, []string{"A", "B"}},
		"two VINs":                        {[]string{vin + ",A,Oakland", otherVIN + ",A,San Jose"}, []string{"A"}},
	} {
		var got []string
		for stock := range idsByStock(t, c.rows...) {
			got = append(got, stock)
		}
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestRead_IDsOfTwins_DoNotDependOnTheOrderOfRows(t *testing.T) {
	a, b, c := vin+",A,Oakland", vin+",B,San Jose", otherVIN+",C,Oakland"
	want := idsByStock(t, a, b, c)
	if want["A"] == want["B"] {
		t.Fatal("two listings have one id")
	}
	for _, rows := range [][]string{{b, a, c}, {c, b, a}, {a, b, a, c}} {
		if diff := cmp.Diff(want, idsByStock(t, rows...)); diff != "" {
			t.Errorf("%v: %s", rows, diff)
		}
	}
	if alone := idsByStock(t, a); alone["A"] != want["A"] {
		t.Error("the twin with the smallest stock number has another id without the others")
	}
	if f := read(t, twoRoofs, "VIN,Stock,Location,Make,Status\n"+a+",Kia,In Stock\n"+b+",Kia,Sold\n"); len(f.Rows) != 2 || !f.Rows[1].Gone || f.Rows[1].VehicleID != want["B"] {
		t.Errorf("the sold twin is %+v", f.Rows)
	}
	for _, r := range read(t, twoRoofs, "VIN,Stock,Location,Make\n"+a+",Kia\n"+b+",Kia\n").Rows {
		if listing(t, r)["vehicle_id"] != r.VehicleID {
			t.Errorf("%s in %s", r.VehicleID, r.JSON)
		}
	}
}

func TestRead_RejectedRow_NamesTheVehicleThatItMayBe(t *testing.T) {
	id := func(row string) string {
		return read(t, twoRoofs, "VehicleID,VIN,Stock,Make\n"+row+",Kia\n").Rows[0].VehicleID
	}
	for name, c := range map[string]struct {
		row     string // vehicle id, VIN, stock
		want    []string
		unnamed int
	}{
		"by its id":                         {"v1," + vin + ",S1", []string{"v1"}, 0},
		"by its id, with a VIN that is bad": {"v1,1.23E+16,S1", []string{"v1"}, 0},
		"by its VIN":                        {"," + vin + ",", []string{id("," + vin + ",")}, 0},
		"by its stock number":               {",,S1", []string{id(",,S1")}, 0},
		"not by its stock number when its VIN cannot be read": {",1.23E+16,S1", nil, 1},
		"not by its VIN when its id cannot be used":           {"a.b," + vin + ",S1", nil, 1},
		"not at all": {",,", nil, 1},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, "VehicleID,VIN,Stock,Make,Price\n"+c.row+",Kia,nine\n")
			if diff := cmp.Diff(c.want, f.Kept); diff != "" || f.Unnamed != c.unnamed || f.Rejected != 1 {
				t.Errorf("%d unnamed, %s", f.Unnamed, diff)
			}
		})
	}
	kept := read(t, twoRoofs, "VIN,Stock,Make,Price\n"+vin+",S1,Kia,nine\n").Kept
	if !slices.Contains(kept, id(","+vin+",S1")) || !slices.Contains(kept, id(",,S1")) {
		t.Errorf("a row with VIN and stock number keeps %v", kept)
	}
	twins := idsByStock(t, vin+",A,Oakland", vin+",B,San Jose")
	if kept := read(t, twoRoofs, "VIN,Stock,Make,Price\n"+vin+",B,Kia,nine\n").Kept; !slices.Contains(kept, twins["B"]) {
		t.Errorf("a row of a twin keeps %v", kept)
	}
}

func TestRead_FileOfOneRooftop(t *testing.T) {
	for name, c := range map[string]struct {
		row  string // location, status
		want string // rooftop; "" is a bad row
	}{
		"none stated":             {",Available", "San Jose"},
		"its own":                 {"SAN JOSE,Available", "San Jose"},
		"the dealership":          {"Demo Toyota,Available", "San Jose"},
		"another":                 {"Oakland,Available", ""},
		"unknown":                 {"Mars,Available", ""},
		"sold":                    {",Sold", "San Jose"},
		"sold at another":         {"Oakland,Sold", ""},
		"sold at an unknown one ": {"Mars,Sold", "San Jose"},
	} {
		t.Run(name, func(t *testing.T) {
			s := settings(twoRoofs, validator(t))
			s.Rooftop = "San Jose"
			f, err := feed.Read(strings.NewReader("Stock,Make,Price,Location,Status\nS1,Kia,9000,"+c.row+"\n"), s)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if len(f.Rows) == 1 {
				got = f.Rows[0].Rooftop
			} else if len(f.Problems) != 1 || f.Problems[0].Column != "Location" || len(f.Kept) != 1 {
				t.Errorf("problems %+v, kept %v", f.Problems, f.Kept)
			}
			if got != c.want {
				t.Errorf("rooftop %q, want %q: %+v", got, c.want, f.Problems)
			}
		})
	}
}

func TestRead_CodeOfARooftop_CountsOnlyWhenItIsAName(t *testing.T) {
	for row, want := range map[string]any{"4711,": nil, "oakland,": "Oakland", "4711,San Jose": "San Jose", "Oakland,San Jose": "San Jose"} {
		f := read(t, twoRoofs, "Stock,Make,Price,DealerID,Location\nS1,Kia,9000,"+row+"\n")
		if len(f.Rows) != 1 || listing(t, f.Rows[0])["rooftop"] != want {
			t.Errorf("%q: %+v %+v", row, f.Rows, f.Problems)
		}
	}
}

func TestRead_MistypedVIN_IsAWarning(t *testing.T) {
	for text, want := range map[string]int{"1M8GDM9AXKP042788": 0, "1M8GDM9A1KP042788": 1} {
		csv := read(t, twoRoofs, "VIN,Make,Price\n"+text+",Kia,9000\n")
		json := read(t, twoRoofs, `[{"vin":"`+text+`","status":"available"}]`)
		for _, f := range []*feed.Feed{csv, json} {
			if len(f.Rows) != 1 || len(f.Problems) != want || want == 1 && !f.Problems[0].Warning {
				t.Errorf("%s: %+v", text, f.Problems)
			}
		}
	}
}

func TestSettle_TwinKeepsItsIDWithoutTheOther(t *testing.T) {
	const header = "VIN,Stock,Location,Make,Status\n"
	a, b := vin+",A,Oakland,Kia,In Stock\n", vin+",B,San Jose,Kia,"
	ids := idsByStock(t, vin+",A,Oakland", vin+",B,San Jose")
	known := map[string]bool{ids["A"]: true, ids["B"]: true}
	for name, c := range map[string]struct {
		text  string
		known map[string]bool
		want  []string
	}{
		"the other has left":                    {header + b + "In Stock\n", known, []string{ids["B"]}},
		"it is sold, in a file of its own":      {header + b + "Sold\n", known, []string{ids["B"]}},
		"both":                                  {header + a + b + "In Stock\n", known, []string{ids["A"], ids["B"]}},
		"it never was a twin":                   {header + b + "In Stock\n", map[string]bool{ids["A"]: true}, []string{ids["A"]}},
		"an id of its own is not a derived one": {"VehicleID," + header + "v1," + b + "In Stock\n", known, []string{"v1"}},
	} {
		f := read(t, twoRoofs, c.text)
		feed.Settle(f.Rows, twoRoofs.ID, func(id string) bool { return c.known[id] })
		var got []string
		for _, r := range f.Rows {
			got = append(got, r.VehicleID)
			if v := listing(t, r); v != nil && v["vehicle_id"] != r.VehicleID {
				t.Errorf("%s: %s in %s", name, r.VehicleID, r.JSON)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
