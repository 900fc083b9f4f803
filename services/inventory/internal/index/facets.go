package index

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Facets are the values of a tenant's matching listings, in the shape of facets.schema.json.
type Facets struct {
	Makes          []Count `json:"makes"`
	Models         []Count `json:"models"`
	Trims          []Count `json:"trims"`
	Years          []Count `json:"years"`
	Conditions     []Count `json:"conditions"`
	Transmissions  []Count `json:"transmissions"`
	Fuels          []Count `json:"fuels"`
	Drivelines     []Count `json:"drivelines"`
	Bodies         []Count `json:"bodies"`
	VehicleTypes   []Count `json:"vehicle_types"`
	ExteriorColors []Count `json:"exterior_colors"`
	InteriorColors []Count `json:"interior_colors"`
	Rooftops       []Count `json:"rooftops"`
	Statuses       []Count `json:"statuses"`
	DCFastCharge   []Count `json:"dc_fast_charge"`
	ChargePorts    []Count `json:"charge_ports"`

	PriceRange         *Extent `json:"price_range,omitempty"`
	MileageRange       *Extent `json:"mileage_range,omitempty"`
	YearRange          *Extent `json:"year_range,omitempty"`
	DisplacementRange  *Extent `json:"displacement_cc_range,omitempty"`
	ElectricRangeRange *Extent `json:"electric_range_mi_range,omitempty"`
}

// Count says how many listings have a value: a string, an int64 or a bool.
type Count struct {
	Value any `json:"value"`
	Count int `json:"count"`
}

// Extent is the lowest and highest value of a number.
type Extent struct {
	Min float64 `json:"min"`
	Max float64 `json:"max"`
}

// Facets counts values over the listings that match. The most frequent value comes first, then by value. Values that differ
// only in case are one, in its most frequent spelling, because a filter matches them all: a count is the total of a search
// for that value.
func (x *Index) Facets(tenant string, f Filters) Facets {
	filters := f.compile()
	var found []*Listing
	for _, l := range x.listings(tenant) {
		if matches(filters, l) {
			found = append(found, l)
		}
	}
	return Facets{
		Makes:          countTerm(found, Make),
		Models:         countTerm(found, Model),
		Trims:          countTerm(found, Trim),
		Years:          countYears(found),
		Conditions:     countTerm(found, Condition),
		Transmissions:  countTerm(found, Transmission),
		Fuels:          countTerm(found, Fuel),
		Drivelines:     countTerm(found, Driveline),
		Bodies:         countTerm(found, Body),
		VehicleTypes:   countTerm(found, VehicleType),
		ExteriorColors: countTerm(found, ExteriorColor),
		InteriorColors: countTerm(found, InteriorColor),
		Rooftops:       countTerm(found, Rooftop),
		Statuses:       countTerm(found, Status),
		DCFastCharge:   countFastCharge(found),
		ChargePorts:    countTerm(found, ChargePort),

		PriceRange:         extent(found, Price),
		MileageRange:       extent(found, Mileage),
		YearRange:          extent(found, Year),
		DisplacementRange:  extent(found, DisplacementCC),
		ElectricRangeRange: extent(found, ElectricRangeMi),
	}
}

func countTerm(found []*Listing, term Term) []Count {
	bySpelling := make(map[string]int)
	for _, l := range found {
		if text := l.terms[term]; text != "" {
			bySpelling[text]++
		}
	}
	total, usual := make(map[string]int), make(map[string]string) // by folded value
	for _, spelling := range ranked(bySpelling, strings.Compare) {
		text := spelling.Value.(string)
		folded := fold(text)
		if total[folded] == 0 {
			usual[folded] = text
		}
		total[folded] += spelling.Count
	}
	counts := make(map[string]int, len(total))
	for folded, n := range total {
		counts[usual[folded]] = n
	}
	return ranked(counts, strings.Compare)
}

func countYears(found []*Listing) []Count {
	counts := make(map[int64]int)
	for _, l := range found {
		if year := l.numbers[Year]; !math.IsNaN(year) {
			counts[int64(year)]++
		}
	}
	return ranked(counts, cmp.Compare[int64])
}

func countFastCharge(found []*Listing) []Count {
	counts := make(map[bool]int)
	for _, l := range found {
		if l.dcFastCharge != nil {
			counts[*l.dcFastCharge]++
		}
	}
	return ranked(counts, func(a, b bool) int {
		switch {
		case a == b:
			return 0
		case b:
			return -1
		default:
			return 1
		}
	})
}

// ranked lists values by count, highest first, then by value.
func ranked[V comparable](counts map[V]int, byValue func(a, b V) int) []Count {
	values := slices.SortedFunc(maps.Keys(counts), func(a, b V) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), byValue(a, b))
	})
	list := make([]Count, len(values))
	for i, v := range values {
		list[i] = Count{Value: v, Count: counts[v]}
	}
	return list
}

func extent(found []*Listing, number Number) *Extent {
	var e *Extent
	for _, l := range found {
		switch n := l.numbers[number]; {
		case math.IsNaN(n):
		case e == nil:
			e = &Extent{Min: n, Max: n}
		default:
			e.Min, e.Max = min(e.Min, n), max(e.Max, n)
		}
	}
	return e
}
