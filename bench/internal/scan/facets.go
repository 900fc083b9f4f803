package scan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// Facets are the values of the matching vehicles, by the names of the contract. A list without a value is left out.
type Facets struct {
	Lists  map[string][]Count
	Ranges map[string]Extent
}

// Count says how many vehicles have a value.
type Count struct {
	Value any `json:"value"` // a string, or a float64 for years
	Count int `json:"count"`
}

// Extent is the lowest and highest value of a number.
type Extent struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

var termFacets = [numTerms]string{
	byMake: "makes", byModel: "models", byTrim: "trims", byCondition: "conditions", byTransmission: "transmissions", byFuel: "fuels",
	byDriveline: "drivelines", byBody: "bodies", byVehicleType: "vehicle_types", byExteriorColor: "exterior_colors",
	byInteriorColor: "interior_colors", byRooftop: "rooftops", byStatus: "statuses", byChargePort: "charge_ports",
}

var rangeFacets = [numNumbers]string{
	byYear: "year_range", byPrice: "price_range", byMileage: "mileage_range", byDisplacement: "displacement_cc_range",
	byRange: "electric_range_mi_range",
}

// Facets counts in one pass. Texts that differ in case only are counted apart: the generated stock has none.
func (s *Stock) Facets(req *inventoryv1.FacetsRequest) Facets {
	filters := s.compile(req.GetFilters())
	var counts [numTerms][]int
	for t := range counts {
		counts[t] = make([]int, max(1, len(s.texts[t].values)))
	}
	years := make(map[float64]int)
	var ranges [numNumbers]Extent
	for n := range ranges {
		ranges[n] = Extent{math.Inf(1), math.Inf(-1)}
	}
	for i := range s.listings {
		l := &s.listings[i]
		if !matches(filters, l) {
			continue
		}
		for t, id := range l.terms {
			counts[t][id]++
		}
		if year := l.numbers[byYear]; !math.IsNaN(year) {
			years[year]++
		}
		for n, value := range l.numbers {
			if r := &ranges[n]; !math.IsNaN(value) {
				r.Min, r.Max = min(r.Min, value), max(r.Max, value)
			}
		}
	}
	return s.named(counts, years, ranges)
}

func (s *Stock) named(counts [numTerms][]int, years map[float64]int, ranges [numNumbers]Extent) Facets {
	f := Facets{Lists: make(map[string][]Count), Ranges: make(map[string]Extent)}
	for t, byID := range counts {
		var list []Count
		for id, n := range byID {
			if id != absent && n > 0 {
				list = append(list, Count{s.texts[t].values[id], n})
			}
		}
		f.add(termFacets[t], list, func(a, b Count) int { return cmp.Compare(a.Value.(string), b.Value.(string)) })
	}
	var list []Count
	for year, n := range years {
		list = append(list, Count{year, n})
	}
	f.add("years", list, func(a, b Count) int { return cmp.Compare(a.Value.(float64), b.Value.(float64)) })
	for n, r := range ranges {
		if r.Min <= r.Max {
			f.Ranges[rangeFacets[n]] = r
		}
	}
	return f
}

// add keeps a list that has values, the most frequent first, then by value.
func (f *Facets) add(name string, list []Count, byValue func(a, b Count) int) {
	if len(list) == 0 {
		return
	}
	slices.SortFunc(list, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), byValue(a, b)) })
	f.Lists[name] = list
}

// ParseFacets reads the facets of a response, in the shape of facets.schema.json.
func ParseFacets(text []byte) (Facets, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return Facets{}, fmt.Errorf("read facets: %w", err)
	}
	f := Facets{Lists: make(map[string][]Count), Ranges: make(map[string]Extent)}
	for name, member := range members {
		var list []Count
		var extent Extent
		if err := json.Unmarshal(member, &extent); err == nil {
			f.Ranges[name] = extent
		} else if err := json.Unmarshal(member, &list); err != nil {
			return Facets{}, fmt.Errorf("read facets %s: %w", name, err)
		} else if len(list) > 0 {
			f.Lists[name] = list
		}
	}
	return f, nil
}
