package scan

import (
	"math"
	"slices"
	"strings"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// predicate decides about one listing.
type predicate func(*listing) bool

func matches(all []predicate, l *listing) bool {
	for _, p := range all {
		if !p(l) {
			return false
		}
	}
	return true
}

// compile prepares filters for one scan: what is cheap comes first, free text last. It knows make, model, body, condition, the
// years, the highest price, VIN, stock number, geo and free text.
func (s *Stock) compile(f *inventoryv1.Filters) []predicate {
	var all []predicate
	if f.GetVin() != "" {
		want := strings.ToLower(f.GetVin())
		all = append(all, func(l *listing) bool { return l.vin == want })
	}
	if f.GetStock() != "" {
		want := strings.ToLower(f.GetStock())
		all = append(all, func(l *listing) bool { return l.stock == want })
	}
	for t, wanted := range [numTerms][]string{
		byMake: f.GetMake(), byModel: f.GetModel(), byBody: f.GetBody(), byCondition: f.GetCondition(),
	} {
		if len(wanted) > 0 {
			all = append(all, s.anyOf(term(t), func(text string) bool {
				return slices.ContainsFunc(wanted, func(want string) bool { return strings.EqualFold(want, text) })
			}))
		}
	}
	if f.GetYearMin() > 0 || f.GetYearMax() > 0 {
		low, high := float64(f.GetYearMin()), float64(f.GetYearMax())
		all = append(all, func(l *listing) bool { return l.numbers[byYear] >= low && l.numbers[byYear] <= high })
	}
	if f.GetPriceMax() > 0 {
		high := float64(f.GetPriceMax())
		all = append(all, func(l *listing) bool { return l.numbers[byPrice] <= high })
	}
	if g := f.GetGeo(); g != nil {
		all = append(all, s.anyOf(byRooftop, func(name string) bool { return s.within(g, name) }))
	}
	for _, word := range strings.Fields(strings.ToLower(f.GetQuery())) {
		all = append(all, func(l *listing) bool { return strings.Contains(l.words, word) })
	}
	return all
}

// anyOf decides once for every distinct text, so that a listing costs one look into a list.
func (s *Stock) anyOf(t term, wanted func(text string) bool) predicate {
	want := make([]bool, max(1, len(s.texts[t].values)))
	for id, text := range s.texts[t].values {
		want[id] = text != "" && wanted(text)
	}
	return func(l *listing) bool { return want[l.terms[t]] }
}

func (s *Stock) within(g *inventoryv1.Geo, rooftop string) bool {
	for _, r := range s.rooftops {
		if r.Name == rooftop && r.Geo != nil {
			return miles(g.GetLatitude(), g.GetLongitude(), r.Geo.Latitude, r.Geo.Longitude) <= g.GetRadiusMi()
		}
	}
	return false
}

// miles is the great-circle distance by the haversine formula, on a sphere of the Earth's mean radius.
func miles(latA, lonA, latB, lonB float64) float64 {
	const radians, radius = math.Pi / 180, 3958.7613
	sinLat, sinLon := math.Sin((latB-latA)*radians/2), math.Sin((lonB-lonA)*radians/2)
	h := sinLat*sinLat + math.Cos(latA*radians)*math.Cos(latB*radians)*sinLon*sinLon
	return 2 * radius * math.Asin(math.Sqrt(min(h, 1)))
}
