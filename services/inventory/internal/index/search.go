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

// Search evaluates a query on a tenant's stock as of now.
func (x *Index) Search(tenant string, q Query) Page {
	filters, order := q.Filters.compile(), q.Sort.compile()
	// One more than the page tells whether another follows.
	first := firstOf{order: order, size: q.Limit + 1}
	var page Page
	for _, l := range x.listings(tenant) {
		if !matches(filters, l) {
			continue
		}
		page.Total++
		if at := order.at(l); q.After == nil || order.compare(at, *q.After) > 0 {
			first.add(placed{at, l})
		}
	}
	found := first.sorted()
	if len(found) > q.Limit {
		found = found[:q.Limit]
		page.Next = &found[q.Limit-1].at
	}
	page.Listings = make([]*Listing, len(found))
	for i, p := range found {
		page.Listings[i] = p.listing
	}
	return page
}

// placed is a listing with its position.
type placed struct {
	at      Position
	listing *Listing
}

// firstOf keeps the first few of many listings in order.
type firstOf struct {
	order order
	size  int
	// kept holds up to twice the size: it is sorted and cut when full, so that a listing costs few comparisons.
	kept []placed
	cut  bool // kept[size-1] bounds what can still be among the first
}

func (f *firstOf) add(p placed) {
	if f.cut && f.order.compare(p.at, f.kept[f.size-1].at) > 0 {
		return
	}
	f.kept = append(f.kept, p)
	if len(f.kept) == 2*f.size {
		f.kept = f.sorted()
		f.cut = true
	}
}

func (f *firstOf) sorted() []placed {
	slices.SortFunc(f.kept, func(a, b placed) int { return f.order.compare(a.at, b.at) })
	return f.kept[:min(len(f.kept), f.size)]
}
