package index_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// The model answers from the decoded JSON of the listings, the slow and plain way.

type car map[string]any

func (c car) text(member string) string { s, _ := c[member].(string); return s }

func (c car) number(member string) (float64, bool) { f, ok := c[member].(float64); return f, ok }

var termNames = map[index.Term]string{
	index.Make: "make", index.Model: "model", index.Trim: "trim", index.Transmission: "transmission", index.Fuel: "fuel",
	index.Driveline: "driveline", index.Body: "body", index.ExteriorColor: "exterior_color", index.InteriorColor: "interior_color",
	index.Rooftop: "rooftop", index.ChargePort: "charge_port", index.Condition: "condition", index.VehicleType: "vehicle_type",
	index.Status: "status",
}

var numberNames = map[index.Number]string{
	index.Year: "year", index.Price: "price", index.Mileage: "mileage", index.DisplacementCC: "displacement_cc",
	index.ElectricRangeMi: "electric_range_mi",
}

func (c car) matches(f index.Filters) bool {
	for term, wanted := range f.Terms {
		has := c.text(termNames[term])
		if term == index.VehicleType && has == "" {
			has = "car"
		}
		equal := func(w string) bool { return has != "" && strings.EqualFold(w, has) }
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, equal) {
			return false
		}
	}
	for number, r := range f.Ranges {
		has, ok := c.number(numberNames[number])
		if !ok || r.Min != nil && has < *r.Min || r.Max != nil && has > *r.Max {
			return false
		}
	}
	if f.DCFastCharge != nil && c["dc_fast_charge"] != *f.DCFastCharge {
		return false
	}
	if f.VIN != nil && (c.text("vin") == "" || !strings.EqualFold(*f.VIN, c.text("vin"))) {
		return false
	}
	if f.Stock != nil && (c.text("stock") == "" || !strings.EqualFold(*f.Stock, c.text("stock"))) {
		return false
	}
	return c.hasWords(f.Query) && c.isNear(f.Near)
}

func (c car) hasWords(query string) bool {
	var texts []string
	for _, member := range []string{"make", "model", "trim", "body", "exterior_color", "interior_color", "stock", "description"} {
		texts = append(texts, c.text(member))
	}
	if year, ok := c.number("year"); ok {
		texts = append(texts, strconv.Itoa(int(year)))
	}
	features, _ := c["features"].([]any)
	for _, f := range features {
		texts = append(texts, f.(string))
	}
	for _, word := range strings.Fields(query) {
		if !slices.ContainsFunc(texts, func(text string) bool { return containsFold([]rune(text), []rune(word)) }) {
			return false
		}
	}
	return true
}

func containsFold(text, word []rune) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		if strings.EqualFold(string(text[i:i+len(word)]), string(word)) {
			return true
		}
	}
	return false
}

// isNear uses the spherical law of cosines where the index uses the haversine.
func (c car) isNear(n *index.Near) bool {
	if n == nil {
		return true
	}
	rooftop := cmp.Or(c.text("rooftop"), n.Default)
	for name, at := range n.Rooftops {
		if !strings.EqualFold(name, rooftop) {
			continue
		}
		const rad = math.Pi / 180
		cos := math.Sin(at.Latitude*rad)*math.Sin(n.Point.Latitude*rad) +
			math.Cos(at.Latitude*rad)*math.Cos(n.Point.Latitude*rad)*math.Cos((at.Longitude-n.Point.Longitude)*rad)
		return 6371.0088/1.609344*math.Acos(max(-1, min(1, cos))) <= n.RadiusMi
	}
	return false
}

// before is the order of a sort.
func before(s index.Sort) func(a, b car) int {
	value := func(c car) (any, bool) {
		switch s.Field {
		case "":
			return 0.0, true
		case "make", "model", "stock":
			return strings.ToLower(c.text(s.Field)), c.text(s.Field) != ""
		case "updated_at":
			at, err := time.Parse(time.RFC3339, c.text("updated_at"))
			return float64(at.UnixMicro()), err == nil
		default:
			f, ok := c.number(s.Field)
			return f, ok
		}
	}
	return func(a, b car) int {
		va, okA := value(a)
		vb, okB := value(b)
		order := 0
		switch {
		case okA && !okB:
			return -1
		case !okA && okB:
			return 1
		case okA && okB:
			if text, ok := va.(string); ok {
				order = strings.Compare(text, vb.(string))
			} else {
				order = cmp.Compare(va.(float64), vb.(float64))
			}
		}
		if s.Descending {
			order = -order
		}
		return cmp.Or(order, strings.Compare(a.text("vehicle_id"), b.text("vehicle_id")))
	}
}

// Generators draw from few values, so that they meet.

func words(alternatives ...string) *rapid.Generator[string] { return rapid.SampledFrom(alternatives) }

var (
	texts  = words("Toyota", "TOYOTA", "toyota", "Škoda", "ŠKODA", "Kia", "Kia", "GMC", "Land Rover", "a", "")
	colors = words("Red", "RED", "blue", "Ocean Gem", "Weiß", "")
	vins   = words("1M8GDM9AXKP042788", "1M8GDM9AXKP042789")
	points = rapid.Custom(func(t *rapid.T) index.Point {
		return index.Point{
			Latitude:  float64(rapid.IntRange(-90, 90).Draw(t, "latitude")),
			Longitude: float64(rapid.IntRange(-180, 180).Draw(t, "longitude")),
		}
	})
)

// check validates the listings of all tests.
var check = func() *contract.Validator {
	v, err := contract.NewValidator()
	if err != nil {
		panic(err)
	}
	return v
}()

// observed is when all listings of the tests were observed, unless they are confirmed.
var observed = time.Unix(2, 500_000_000).UTC()

// parse makes a listing of a vehicle; status and updated_at have a default.
func parse(t rapid.TB, v vehicle.Vehicle) *vehicle.Listing {
	t.Helper()
	full := vehicle.Vehicle{"status": "available", "updated_at": "2026-01-01T00:00:00Z"}
	maps.Copy(full, v)
	text, err := full.JSON()
	if err != nil {
		t.Fatal(err)
	}
	l, err := vehicle.Parse(text, vehicle.Evidence{Source: "feed:test", ObservedAt: observed, EventID: "e"}, check)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func drawListing(t *rapid.T, id string) *vehicle.Listing {
	v := vehicle.Vehicle{
		"vehicle_id": id,
		"status":     words("available", "intransit", "pending").Draw(t, "status"),
		"updated_at": time.Unix(rapid.Int64Range(0, 5).Draw(t, "updated"), 0).UTC().Format(time.RFC3339),
	}
	for _, member := range []string{"make", "model", "trim", "body", "transmission", "fuel", "driveline", "charge_port"} {
		maybe(t, v, member, texts)
	}
	for _, member := range []string{"exterior_color", "interior_color"} {
		maybe(t, v, member, colors)
	}
	maybe(t, v, "rooftop", words("North", "South", "Nowhere"))
	maybe(t, v, "condition", words("new", "used", "cpo"))
	maybe(t, v, "vehicle_type", words("car", "rv"))
	maybe(t, v, "vin", vins)
	maybe(t, v, "stock", words("A1", "a1", "B2"))
	maybe(t, v, "description", words("One owner, red", "Great TOYOTA deal\nnew tyres", "K"))
	for _, member := range []string{"year", "price", "list_price", "msrp", "mileage", "displacement_cc", "electric_range_mi"} {
		if rapid.Bool().Draw(t, member+"?") {
			v[member] = json.Number(strconv.Itoa(2000 + rapid.IntRange(0, 4).Draw(t, member)))
		}
	}
	if rapid.Bool().Draw(t, "dc?") {
		v["dc_fast_charge"] = rapid.Bool().Draw(t, "dc")
	}
	if rapid.Bool().Draw(t, "features?") {
		v["features"] = []any{colors.Draw(t, "feature"), "Heated seats"}
	}
	return parse(t, v)
}

func maybe(t *rapid.T, v vehicle.Vehicle, member string, from *rapid.Generator[string]) {
	if rapid.Bool().Draw(t, member+"?") {
		v[member] = from.Draw(t, member)
	}
}

// filters draws a few filters at a time, so that something is found.
func filters(t *rapid.T) index.Filters {
	f := index.Filters{Terms: map[index.Term][]string{}, Ranges: map[index.Number]index.Range{}}
	for range rapid.IntRange(0, 2).Draw(t, "filters") {
		switch rapid.IntRange(0, 6).Draw(t, "filter") {
		case 0, 1:
			term := index.Term(rapid.IntRange(int(index.Make), int(index.Status)).Draw(t, "term"))
			from := rapid.OneOf(texts, colors, words("north", "SOUTH", "NEW", "cpo", "Car", "rv", "available"))
			f.Terms[term] = rapid.SliceOfN(from, 0, 4).Draw(t, "texts")
		case 2:
			number := rapid.SampledFrom([]index.Number{
				index.Year, index.Price, index.Mileage, index.DisplacementCC, index.ElectricRangeMi}).Draw(t, "number")
			end := rapid.Ptr(rapid.Map(rapid.IntRange(1999, 2005), func(i int) float64 { return float64(i) }), true)
			f.Ranges[number] = index.Range{Min: end.Draw(t, "min"), Max: end.Draw(t, "max")}
			if f.Ranges[number] == (index.Range{}) {
				delete(f.Ranges, number)
			}
		case 3:
			f.DCFastCharge = rapid.Ptr(rapid.Bool(), false).Draw(t, "dc")
		case 4:
			f.VIN = rapid.Ptr(words("1m8gdm9axkp042788", "1M8GDM9AXKP042789", ""), true).Draw(t, "vin")
			f.Stock = rapid.Ptr(words("A1", "b2", ""), true).Draw(t, "stock")
		case 5:
			f.Query = strings.Join(rapid.SliceOfN(words("toyota", "RED", "own", "2001", "seats", "weiß", "k", "a1", "\t"), 0, 3).Draw(t, "query"), " ")
		case 6:
			f.Near = &index.Near{
				Point: points.Draw(t, "from"), RadiusMi: float64(rapid.IntRange(0, 12000).Draw(t, "radius")) + 0.5,
				Rooftops: map[string]index.Point{"North": points.Draw(t, "north"), "south": points.Draw(t, "south")},
				Default:  words("", "North").Draw(t, "default"),
			}
		}
	}
	return f
}
