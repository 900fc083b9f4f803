package index

import "slices"

// run is a part's share of a page, in order: documents of a segment by rank, or entries.
type run struct {
	ranking ranking
	ranks   []uint32
	entries []placed
	at      Position // of the first that is left
	known   bool     // whether at is known yet
}

// placed is an entry with its position.
type placed struct {
	at    Position
	entry *entry
}

func (r *run) sort(o order) {
	slices.SortFunc(r.entries, func(a, b placed) int { return o.compare(&a.at, &b.at) })
}

// leads finds the position of the first listing that is left; it returns false when none is.
func (r *run) leads() bool {
	switch {
	case r.known:
	case len(r.ranks) > 0:
		r.at, r.known = r.ranking.position(r.ranks[0]), true
	case len(r.entries) > 0:
		r.at, r.known = r.entries[0].at, true
	}
	return r.known
}

// take removes the first listing and returns it.
func (r *run) take(c *Confirmation) Listing {
	r.known = false
	if len(r.ranks) > 0 {
		doc := uint16(r.ranks[0])
		r.ranks = r.ranks[1:]
		return r.ranking.part.listing(doc, c)
	}
	e := r.entries[0].entry
	r.entries = r.entries[1:]
	return e.shown(c)
}

// leading returns the run whose first listing comes first; nil when all are at their end.
func leading(runs []*run, o order) *run {
	var first *run
	for _, r := range runs {
		if r.leads() && (first == nil || o.compare(&r.at, &first.at) < 0) {
			first = r
		}
	}
	return first
}
