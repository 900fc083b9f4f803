package index

import (
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

// predicate decides about one listing.
type predicate func(*Listing) bool

// compile prepares the filters for one scan: what is cheap and narrows most comes first, free text last.
func (f Filters) compile() []predicate {
	var all []predicate
	if f.VIN != nil {
		want := fold(*f.VIN)
		all = append(all, func(l *Listing) bool { return l.id.VIN == want && want != "" })
	}
	if f.Stock != nil {
		want := fold(*f.Stock)
		all = append(all, func(l *Listing) bool { return l.id.Stock == want && want != "" })
	}
	for number := range numNumbers {
		if r, ok := f.Ranges[number]; ok {
			all = append(all, r.compile(number)...)
		}
	}
	if f.DCFastCharge != nil {
		want := *f.DCFastCharge
		all = append(all, func(l *Listing) bool { return l.dcFastCharge != nil && *l.dcFastCharge == want })
	}
	for term := range numTerms {
		if texts := f.Terms[term]; len(texts) > 0 {
			all = append(all, anyOf(term, texts))
		}
	}
	if f.Near != nil {
		all = append(all, f.Near.compile())
	}
	for _, word := range strings.Fields(fold(f.Query)) {
		all = append(all, func(l *Listing) bool { return strings.Contains(l.words, word) })
	}
	return all
}

// compile compares so that an absent number (NaN) fails.
func (r Range) compile(number Number) []predicate {
	var both []predicate
	if r.Min != nil {
		low := *r.Min
		both = append(both, func(l *Listing) bool { return l.numbers[number] >= low })
	}
	if r.Max != nil {
		high := *r.Max
		both = append(both, func(l *Listing) bool { return l.numbers[number] <= high })
	}
	return both
}

// anyOf matches a listing that has the term; absent is no value, so that "" never matches.
func anyOf(term Term, texts []string) predicate {
	wanted := make([]string, len(texts))
	for i, text := range texts {
		wanted[i] = fold(text)
	}
	return func(l *Listing) bool { return l.folded[term] != "" && slices.Contains(wanted, l.folded[term]) }
}

func matches(all []predicate, l *Listing) bool {
	for _, p := range all {
		if !p(l) {
			return false
		}
	}
	return true
}
