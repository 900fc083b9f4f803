package index

import (
	"cmp"
	"math"
	"strings"
)

// Sort orders a search. Without a field it is by vehicle id, ascending.
type Sort struct {
	// Field is one of SortFields, or "".
	Field      string
	Descending bool
}

// sortKey says where the value of a sort field is: in a number, or in a folded text.
type sortKey struct {
	number Number
	text   func(*Listing) string // nil for a number
}

var sortKeys = map[string]sortKey{
	"price":      {number: Price},
	"list_price": {number: ListPrice},
	"msrp":       {number: MSRP},
	"mileage":    {number: Mileage},
	"year":       {number: Year},
	"updated_at": {number: UpdatedAt},
	"make":       {text: func(l *Listing) string { return l.folded[Make] }},
	"model":      {text: func(l *Listing) string { return l.folded[Model] }},
	"stock":      {text: func(l *Listing) string { return l.id.Stock }},
	"":           {text: func(*Listing) string { return "" }},
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

// order is a Sort prepared for one scan.
type order struct {
	key        sortKey
	descending bool
}

func (s Sort) compile() order { return order{sortKeys[s.Field], s.Descending} }

// at returns the listing's position.
func (o order) at(l *Listing) Position {
	p := Position{VehicleID: l.id.VehicleID}
	if o.key.text != nil {
		p.Text = o.key.text(l)
		p.Missing = p.Text == ""
		return p
	}
	p.Number = l.numbers[o.key.number]
	if p.Missing = math.IsNaN(p.Number); p.Missing {
		p.Number = 0
	}
	return p
}

// compare orders positions: by value in the direction asked for, those without one last in both directions, ties by vehicle
// id ascending in both directions.
func (o order) compare(a, b Position) int {
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
