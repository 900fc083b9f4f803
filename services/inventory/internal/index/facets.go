package index

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
	v := x.view(tenant)
	s := borrow()
	defer s.giveBack()
	filters := f.compile()
	t := newTally(s)
	for _, p := range v.parts {
		if clauses, ok := p.clauses(filters); ok && len(clauses) == 0 {
			t.whole(p)
		} else if ok {
			t.some(p, p.find(clauses, s))
		}
	}
	for _, e := range v.delta {
		if matches(filters, e) {
			t.entry(e)
		}
	}
	return t.facets()
}

func (t *tally) facets() Facets {
	return Facets{
		Makes:          rankedTerms(t.terms[Make]),
		Models:         rankedTerms(t.terms[Model]),
		Trims:          rankedTerms(t.terms[Trim]),
		Years:          rankedYears(t.years),
		Conditions:     rankedTerms(t.terms[Condition]),
		Transmissions:  rankedTerms(t.terms[Transmission]),
		Fuels:          rankedTerms(t.terms[Fuel]),
		Drivelines:     rankedTerms(t.terms[Driveline]),
		Bodies:         rankedTerms(t.terms[Body]),
		VehicleTypes:   rankedTerms(t.terms[VehicleType]),
		ExteriorColors: rankedTerms(t.terms[ExteriorColor]),
		InteriorColors: rankedTerms(t.terms[InteriorColor]),
		Rooftops:       rankedTerms(t.terms[Rooftop]),
		Statuses:       rankedTerms(t.terms[Status]),
		DCFastCharge:   rankedBools(t.charge),
		ChargePorts:    rankedTerms(t.terms[ChargePort]),

		PriceRange:         t.extents[Price],
		MileageRange:       t.extents[Mileage],
		YearRange:          t.extents[Year],
		DisplacementRange:  t.extents[DisplacementCC],
		ElectricRangeRange: t.extents[ElectricRangeMi],
	}
}
