package feed_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
)

// tableOf is a CSV file of a header row and one row below it.
func tableOf(header, row string) string {
	return header + "\n" + row + strings.Repeat(",", strings.Count(header, ",")-strings.Count(row, ",")) + "\n"
}

func TestRead_RecognisesTheDialectByItsHeaders(t *testing.T) {
	for _, c := range []struct{ header, want string }{
		{"VIN,Stock,Make,Model,Price", "provider-csv"},
		{"StockNumber,Year,Make,Model,InternetPrice,Photo_Url_List", "provider-csv"},
		{"vin,stock,year,make,model,price,mileage,exterior_color,status", "provider-csv"}, // whose price need not have the fees inside
		{"vin,id,make,model,condition,price,link,image_link", "google-vehicle-listings"},
		{"id,brand,model,price,store_code", "google-vehicle-listings"},
		{"vin,make,model,condition,certified_pre_owned,vehicle_msrp,price", "google-vehicle-listings"},
		{"vehicle_id,make,model,year,state_of_vehicle,price", "meta-automotive"},
		{"vehicle_id,make,model,mileage.value,mileage.unit,price", "meta-automotive"},
		{"auto_listing_id,make,model,price", "meta-automotive"},
		{"vin,make,model,price,image[0].url,image[1].url", "meta-automotive"},
		{"vehicle_id,vin,status,price,list_price,exterior_color", "aap-csv"},
		{"vehicle_id,vin,status,price,list_price,make,model,lot", "provider-csv"}, // the contract knows no lot
		{"Vehicle ID,VIN,Status,Price,List Price,Make,Model", "provider-csv"},     // nor such spellings
		// Marks of several dialects: most marks count.
		{"VIN,StockNumber,Make,Model,SellingPrice,Certified Pre-Owned,PhotoURLs", "provider-csv"},
		{"vin,make,model,price,image_link,state_of_vehicle,mileage.value", "meta-automotive"},
		{"vin,make,model,price,image_link,store_code,state_of_vehicle", "google-vehicle-listings"},
		{"VIN,Make,Model,Price,date_in_stock", "provider-csv"},
	} {
		f := read(t, twoRoofs, tableOf(c.header, ","))
		if f.Dialect != c.want {
			t.Errorf("%s is %s, want %s", c.header, f.Dialect, c.want)
		}
		// The order of columns and the case of headers do not matter, but for the members of the contract.
		columns := strings.Split(c.header, ",")
		for i := range len(columns) / 2 {
			columns[i], columns[len(columns)-1-i] = columns[len(columns)-1-i], columns[i]
		}
		if f := read(t, twoRoofs, tableOf(strings.Join(columns, ","), ",")); f.Dialect != c.want {
			t.Errorf("%s is %s, want %s", columns, f.Dialect, c.want)
		}
	}
}

func TestRead_UnknownColumns_AreAnErrorThatSaysWhatIsNeeded(t *testing.T) {
	_, err := feed.Read(strings.NewReader("no,feed\n1,2\n"), settings(twoRoofs, validator(t)))
	if err == nil || !strings.Contains(err.Error(), "VIN or Stock, and Make or Model") || !strings.Contains(err.Error(), "mapping") {
		t.Error(err)
	}
}

func TestRead_SettingsForceADialectBeforeTheTenant(t *testing.T) {
	const header, row = "vehicle_id,VIN,Stock,Make,Model,Status,Condition,Price,list_price", "v1,1M8GDM9AXKP042788,S1,Kia,Rio,Available,New,9000,8500"
	for _, c := range []struct{ settings, tenant, want, member string }{
		{"", "", "provider-csv", `"list_price":9000`},
		{"", "aap-json", "aap-csv", `"list_price":8500,"price":9000`},
		{"provider-csv", "aap-json", "provider-csv", `"list_price":9000`},
		{"aap-csv", "", "aap-csv", `"list_price":8500,"price":9000`},
		{"meta-automotive", "provider-csv", "meta-automotive", `"list_price":9000`},
	} {
		doc := *twoRoofs
		doc.Feed.Dialect = c.tenant
		s := settings(&doc, validator(t))
		s.Dialect = c.settings
		f, err := feed.Read(strings.NewReader(tableOf(header, row)), s)
		if err != nil || f.Dialect != c.want || len(f.Rows) != 1 && c.settings != "meta-automotive" {
			t.Errorf("%q, %q: %+v, %v", c.settings, c.tenant, f, err)
		} else if len(f.Rows) == 1 && !strings.Contains(string(f.Rows[0].JSON), c.member) {
			t.Errorf("%q, %q: %s", c.settings, c.tenant, f.Rows[0].JSON)
		}
	}
}

func TestRead_ForcedDialectThatDoesNotFit_SaysWhatIsMissing(t *testing.T) {
	for dialect, want := range map[string]string{
		"google-vehicle-listings": "the header row has no column vin or id, which the dialect google-vehicle-listings needs",
		"meta-automotive":         "the header row has no column vehicle_id, auto_listing_id or vin, which the dialect meta-automotive needs",
		"aap-json":                "the header row has no column status, which the dialect aap-json needs",
		"elsewhere":               `the dialect "elsewhere" is not known; use provider-csv`,
	} {
		s := settings(twoRoofs, validator(t))
		s.Dialect = dialect
		_, err := feed.Read(strings.NewReader("Stock #,Make\nS1,Kia\n"), s)
		if dialect == "aap-json" {
			_, err = feed.Read(strings.NewReader("vin,Make\n1,Kia\n"), s)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dialect, err)
		}
	}
}

func mapping(fields map[string]tenant.HeaderNames) *tenant.Document {
	doc := *twoRoofs
	doc.Feed.Mapping = fields
	return &doc
}

func TestRead_MappingWinsOverTheDialect(t *testing.T) {
	names := func(n ...string) tenant.HeaderNames { return n }
	for name, c := range map[string]struct {
		fields      map[string]tenant.HeaderNames
		header, row string
		dialect     string
		want        map[string]any // members; nil is absent
	}{
		"alone": {map[string]tenant.HeaderNames{"stock": names("Lot"), "make": names("Brand"), "exterior_color": names("Paint")},
			"Lot,Brand,Paint,Price", "S1,Kia,Red,9000", "provider-csv", map[string]any{"stock": "S1", "make": "Kia", "exterior_color": "Red"}},
		"alone, of no dialect": {map[string]tenant.HeaderNames{"stock": names("Lot"), "exterior_color": names("Paint")},
			"Lot,Paint,Tint", "S1,Red,Blue", "mapping", map[string]any{"stock": "S1", "exterior_color": "Red"}},
		"over another column": {map[string]tenant.HeaderNames{"make": names("Brand")},
			"Stock,Make,Brand,Model", "S1,Wrong,Kia,Rio", "provider-csv", map[string]any{"make": "Kia", "model": "Rio"}},
		"even when the column has no value": {map[string]tenant.HeaderNames{"trim": names("Line")},
			"Stock,Make,Trim,Line", "S1,Kia,Wrong,", "provider-csv", map[string]any{"trim": nil}},
		"or is not there": {map[string]tenant.HeaderNames{"trim": names("Line")},
			"Stock,Make,Trim", "S1,Kia,Wrong", "provider-csv", map[string]any{"trim": nil}},
		"and takes the column for itself": {map[string]tenant.HeaderNames{"trim": names("Model")},
			"Stock,Make,Model", "S1,Kia,LX", "provider-csv", map[string]any{"trim": "LX", "model": nil}},
		"the best header first": {map[string]tenant.HeaderNames{"trim": names("Line", "Grade")},
			"Stock,Make,Grade,Line", "S1,Kia,Second,First", "provider-csv", map[string]any{"trim": "First"}},
		"condition over a type": {map[string]tenant.HeaderNames{"condition": names("State")},
			"Stock,Make,Type,State", "S1,Kia,anything,CPO", "provider-csv", map[string]any{"condition": "cpo"}},
		"photos of many columns": {map[string]tenant.HeaderNames{"photos": names("Pic 1", "Pic 2")},
			"Stock,Make,Pic 2,Pic 1", "S1,Kia,https://a.example/2,https://a.example/1", "provider-csv",
			map[string]any{"photos": []any{"https://a.example/1", "https://a.example/2"}}},
		"with indices": {map[string]tenant.HeaderNames{"photos": names("image[1].url")},
			"Stock,Make,image[0].url,image[1].url", "S1,Kia,https://a.example/0,https://a.example/1", "provider-csv",
			map[string]any{"photos": []any{"https://a.example/1"}}},
		"selling price over the contract's": {map[string]tenant.HeaderNames{"price": names("price")},
			"vehicle_id,status,make,price,list_price", "S1,available,Kia,9000,8000", "aap-csv", map[string]any{"price": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, mapping(c.fields), tableOf(c.header, c.row))
			if len(f.Rows) != 1 || f.Dialect != c.dialect {
				t.Fatalf("%s: rows %+v, problems %+v", f.Dialect, f.Rows, f.Problems)
			}
			v := listing(t, f.Rows[0])
			for member, want := range c.want {
				if diff := cmp.Diff(want, v[member]); diff != "" {
					t.Errorf("%s: %s", member, diff)
				}
			}
		})
	}
}

func TestRead_MappedColumnThatIsMissing_IsWarnedOf(t *testing.T) {
	f := read(t, mapping(map[string]tenant.HeaderNames{"trim": {"Line"}}), "Stock,Make,Price\nS1,Kia,9000\n")
	want := []feed.Problem{{
		File: "feed", Line: 1, Warning: true,
		Problem:    "no column has a header that the tenant's mapping gives for trim, so vehicles are listed without it",
		Correction: "Name the column as in feed.mapping of the tenant document, or change the mapping.",
	}}
	if diff := cmp.Diff(want, f.Problems); diff != "" {
		t.Error(diff)
	}
}

func TestRead_MetaConditionIsWearAndNeverTheConditionOfSale(t *testing.T) {
	for state, want := range map[string]any{"NEW": "new", "Used": "used", "CPO": "cpo", "": nil} {
		f := read(t, twoRoofs, tableOf("vehicle_id,make,price,state_of_vehicle,condition", "v1,Kia,9000 USD,"+state+",NEW"))
		if len(f.Rows) != 1 || listing(t, f.Rows[0])["condition"] != want {
			t.Errorf("%q: %+v %+v", state, f.Rows, f.Problems)
		}
	}
}

func TestRead_UnitOfMileage(t *testing.T) {
	for _, c := range []struct{ tenant, unit, text, want string }{
		{"", "", "35000", "35000"}, {"mi", "", "35000", "35000"}, {"km", "", "35000", "21748"}, {"km", "", "35000 mi", "35000"},
		{"km", "MI", "35000", "35000"}, {"", "KM", "35000", "21748"}, {"mi", "km.", "35000 miles", "35000"},
	} {
		doc := *twoRoofs
		doc.Feed.MileageUnit = c.tenant
		f := read(t, &doc, "Stock,Make,Price,Mileage,Mileage Unit\nS1,Kia,9000,"+c.text+","+c.unit+"\n")
		if len(f.Rows) != 1 || !strings.Contains(string(f.Rows[0].JSON), `"mileage":`+c.want+`,`) {
			t.Errorf("%+v: %+v %+v", c, f.Rows, f.Problems)
		}
	}
}
