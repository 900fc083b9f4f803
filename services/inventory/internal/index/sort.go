package index

import (
	"cmp"
	"math"
)

// Sort orders a search. The zero value is by vehicle id alone.
type Sort struct {
	// Field is one of SortFields, or "".
	Field      string
	Descending bool
}

// sortKeys say where the value of a sort field is.
var sortKeys = map[string]struct {
	isText bool
	number Number
	text   func(*Listing) string
}{
	"price":      {number: Price},
	"list_price": {number: ListPrice},
	"msrp":       {number: MSRP},
	"mileage":    {number: Mileage},
	"year":       {number: Year},
	"updated_at": {number: UpdatedAt},
	"make":       {isText: true, text: func(l *Listing) string { return l.folded[Make] }},
	"model":      {isText: true, text: func(l *Listing) string { return l.folded[Model] }},
	"stock":      {isText: true, text: func(l *Listing) string { return l.id.Stock }},
}

// CanSort says whether field names an order.
func CanSort(field string) bool {
	_, ok := sortKeys[field]
	return field == "" || ok
}

// Position is a place in an ordered search: where one listing stands. It stays meaningful when that listing has changed or
// gone.
type Position struct {
	Missing   bool // the listing has no value of the sort field
	Number    float64
	Text      string // folded
	VehicleID string
}

// at returns the listing's position under the sort.
func (s Sort) at(l *Listing) Position {
	p := Position{VehicleID: l.id.VehicleID}
	key, ok := sortKeys[s.Field]
	switch {
	case !ok:
	case key.isText:
		p.Text = key.text(l)
		p.Missing = p.Text == ""
	case math.IsNaN(l.numbers[key.number]):
		p.Missing = true
	default:
		p.Number = l.numbers[key.number]
	}
	return p
}

// compare orders positions: by value in the direction asked for, those without one last in both directions, ties by vehicle
// id ascending in both directions.
func (s Sort) compare(a, b Position) int {
	switch {
	case a.Missing != b.Missing:
		if a.Missing {
			return 1
		}
		return -1
	case a.Missing:
		return cmp.Compare(a.VehicleID, b.VehicleID)
	}
	byValue := cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Text, b.Text))
	if s.Descending {
		byValue = -byValue
	}
	return cmp.Or(byValue, cmp.Compare(a.VehicleID, b.VehicleID))
}
