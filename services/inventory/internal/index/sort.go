package index

import (
	"cmp"
	"math"
	"strings"
)

// Sort orders a search. Without a field it is by vehicle id, ascending.
type Sort struct {
	// Field is one of price, list_price, msrp, mileage, year, make, model, stock, updated_at, or "".
	Field      string
	Descending bool
}

// sortKey says where the value of a sort field is: in a number, or in a folded text.
type sortKey struct {
	number Number
	text   func(*entry) string // nil for a number
	column func(*segment) *textColumn
}

var sortKeys = map[string]sortKey{
	"price":      {number: Price},
	"list_price": {number: ListPrice},
	"msrp":       {number: MSRP},
	"mileage":    {number: Mileage},
	"year":       {number: Year},
	"updated_at": {number: UpdatedAt},
	"make":       byTerm(Make),
	"model":      byTerm(Model),
	"stock":      {text: stockOf.entry, column: stockOf.column},
	"":           {text: func(*entry) string { return "" }},
}

func byTerm(term Term) sortKey {
	return sortKey{
		text:   func(e *entry) string { return e.folded[term] },
		column: func(s *segment) *textColumn { return &s.terms[term].textColumn },
	}
}

// CanSort says whether field names an order.
func CanSort(field string) bool {
	_, ok := sortKeys[field]
	return ok
}

// Position is a place in an ordered search: where one listing stands. It stays meaningful when that listing has changed or
// gone.
type Position struct {
	Missing   bool // the listing has no value of the sort field
	Number    float64
	Text      string // folded
	VehicleID string
}

// order is a Sort prepared for one search.
type order struct {
	key        sortKey
	byID       bool // no field
	descending bool
}

func (s Sort) compile() order { return order{sortKeys[s.Field], s.Field == "", s.Descending} }

// at returns the entry's position.
func (o order) at(e *entry) Position {
	p := Position{VehicleID: e.id.VehicleID}
	switch {
	case o.byID:
	case o.key.text != nil:
		p.Text = o.key.text(e)
		p.Missing = p.Text == ""
	default:
		p.Number = e.numbers[o.key.number]
		if p.Missing = math.IsNaN(p.Number); p.Missing {
			p.Number = 0
		}
	}
	return p
}

// compare orders positions: by value in the direction asked for, those without one last in both directions, ties by vehicle
// id ascending in both directions.
func (o order) compare(a, b *Position) int {
	if a.Missing != b.Missing {
		if a.Missing {
			return 1
		}
		return -1
	}
	byValue := cmp.Compare(a.Number, b.Number)
	if byValue == 0 {
		byValue = strings.Compare(a.Text, b.Text)
	}
	if o.descending {
		byValue = -byValue
	}
	if byValue == 0 {
		return strings.Compare(a.VehicleID, b.VehicleID)
	}
	return byValue
}
