package index

import (
	"math"
	"slices"
	"strings"
)

// Filters narrow a tenant's stock; all that are given must match. The zero value matches everything.
type Filters struct {
	// Terms match when any text equals the listing's without regard to case; an empty list does not narrow.
	Terms map[Term][]string
	// Ranges match a listing that has the number, within both ends.
	Ranges       map[Number]Range
	DCFastCharge *bool
	VIN, Stock   *string // without regard to case
	// Query matches when each of its words, separated by white space, occurs in year, make, model, trim, body, colours,
	// features, stock or description, without regard to case. A query without words does not narrow.
	Query string
	Near  *Near
}

// Range is inclusive; nil is open.
type Range struct{ Min, Max *float64 }

// filter is one filter, prepared: it decides about an entry, and turns into a clause for a segment.
type filter interface {
	matches(*entry) bool
	on(*part) clause
}

// compile prepares the filters: what is cheap and narrows most comes first, free text last.
func (f Filters) compile() []filter {
	var all []filter
	if f.VIN != nil {
		all = append(all, named{fold(*f.VIN), vinOf})
	}
	if f.Stock != nil {
		all = append(all, named{fold(*f.Stock), stockOf})
	}
	for number := range numNumbers {
		if r := f.Ranges[number]; r.Min != nil || r.Max != nil {
			all = append(all, r.compile(number))
		}
	}
	if f.DCFastCharge != nil {
		all = append(all, charging(*f.DCFastCharge))
	}
	for term := range numTerms {
		if texts := f.Terms[term]; len(texts) > 0 {
			wanted := make([]string, len(texts))
			for i, text := range texts {
				wanted[i] = fold(text)
			}
			all = append(all, oneOf{term, wanted})
		}
	}
	if f.Near != nil {
		all = append(all, f.Near.compile())
	}
	for _, word := range strings.Fields(fold(f.Query)) {
		all = append(all, worded(word))
	}
	return all
}

func matches(all []filter, e *entry) bool {
	for _, f := range all {
		if !f.matches(e) {
			return false
		}
	}
	return true
}

// naming is a member that names a vehicle.
type naming struct {
	entry  func(*entry) string
	column func(*segment) *textColumn
}

var (
	vinOf   = &naming{func(e *entry) string { return e.id.VIN }, func(s *segment) *textColumn { return &s.vin }}
	stockOf = &naming{func(e *entry) string { return e.id.Stock }, func(s *segment) *textColumn { return &s.stock }}
)

// named wants a folded name; "" is none.
type named struct {
	name string
	by   *naming
}

func (f named) matches(e *entry) bool { return f.name != "" && f.by.entry(e) == f.name }

func (f named) on(p *part) clause {
	column := f.by.column(p.segment)
	return anyOf{&column.column, column.ordinals([]string{f.name})}
}

// between wants a number from low to high.
type between struct {
	number    Number
	low, high float64
}

func (r Range) compile(number Number) between {
	f := between{number, math.Inf(-1), math.Inf(1)}
	if r.Min != nil {
		f.low = *r.Min
	}
	if r.Max != nil {
		f.high = *r.Max
	}
	return f
}

// matches compares so that an absent number (NaN) fails.
func (f between) matches(e *entry) bool {
	return e.numbers[f.number] >= f.low && e.numbers[f.number] <= f.high
}

func (f between) on(p *part) clause {
	column := p.number(f.number)
	c := inSpan{column: &column.column}
	if f.low <= f.high {
		c.low, _ = column.search(f.low)
		found := false
		if c.high, found = column.search(f.high); found {
			c.high++
		}
	}
	return c
}

// charging wants a dc_fast_charge.
type charging bool

func (f charging) matches(e *entry) bool {
	return e.listing.DCFastCharge != nil && *e.listing.DCFastCharge == bool(f)
}

func (f charging) on(p *part) clause {
	ordinal := 0
	if f {
		ordinal = 1
	}
	return inSpan{&p.charge, ordinal, ordinal + 1}
}

// oneOf wants a term with any of the folded texts. Absent is no value, so that "" never matches.
type oneOf struct {
	term   Term
	wanted []string
}

func (f oneOf) matches(e *entry) bool {
	return e.folded[f.term] != "" && slices.Contains(f.wanted, e.folded[f.term])
}

func (f oneOf) on(p *part) clause {
	column := &p.terms[f.term]
	return anyOf{&column.column, column.ordinals(f.wanted)}
}

// ordinals returns the ordinals of those texts that are values, ascending.
func (c *textColumn) ordinals(texts []string) []uint16 {
	var ordinals []uint16
	for _, text := range texts {
		if o, ok := c.values.search(text); ok {
			ordinals = append(ordinals, uint16(o))
		}
	}
	slices.Sort(ordinals)
	return slices.Compact(ordinals)
}

// worded wants a folded text within a word.
type worded string

func (f worded) matches(e *entry) bool { return strings.Contains(e.words, string(f)) }

func (f worded) on(p *part) clause { return p.words.clause(string(f)) }
