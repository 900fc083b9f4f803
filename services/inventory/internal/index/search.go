package index

import "slices"

// Query asks for one page of a search.
type Query struct {
	Filters Filters
	Sort    Sort
	// After is the position that the page follows; nil asks for the first page.
	After *Position
	// Limit is the length of the page, at least 1.
	Limit int
}

// Page is what a query found.
type Page struct {
	// Total counts the listings that match, on all pages together.
	Total    int
	Listings []*Listing
	// Next is where the following page continues; nil on the last page.
	Next *Position
}

// placed is a listing with its position.
type placed struct {
	at      Position
	listing *Listing
}

// Search evaluates a query on a tenant's stock as of now.
func (x *Index) Search(tenant string, q Query) Page {
	filters := q.Filters.compile()
	var page Page
	// One more than the page tells whether another follows.
	best := make([]placed, 0, q.Limit+1)
	for _, l := range x.listings(tenant) {
		if !matches(filters, l) {
			continue
		}
		page.Total++
		at := q.Sort.at(l)
		if q.After != nil && q.Sort.compare(at, *q.After) <= 0 {
			continue
		}
		best = q.Sort.insert(best, placed{at, l}, q.Limit+1)
	}
	if len(best) > q.Limit {
		page.Next = &best[q.Limit-1].at
		best = best[:q.Limit]
	}
	page.Listings = make([]*Listing, len(best))
	for i, p := range best {
		page.Listings[i] = p.listing
	}
	return page
}

// insert keeps the first size of all that were inserted, in order.
func (s Sort) insert(best []placed, p placed, size int) []placed {
	if len(best) == size {
		if s.compare(p.at, best[size-1].at) >= 0 {
			return best
		}
		best = best[:size-1]
	}
	i, _ := slices.BinarySearchFunc(best, p, func(a, b placed) int { return s.compare(a.at, b.at) })
	return slices.Insert(best, i, p)
}
