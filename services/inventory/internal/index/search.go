package index

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
	Listings []Listing
	// Next is where the following page continues; nil on the last page.
	Next *Position
}

// Search evaluates a query on a tenant's stock as of now.
func (x *Index) Search(tenant string, q Query) Page {
	page, _ := x.search(tenant, q)
	return page
}

// search also returns how many documents were looked at.
func (x *Index) search(tenant string, q Query) (page Page, visited int) {
	v := x.view(tenant)
	s := borrow()
	defer s.giveBack()
	pages := paging{query: q, filters: q.Filters.compile(), order: q.Sort.compile(), scratch: s}
	var runs []*run
	for _, p := range v.parts {
		if ranks, total := pages.of(p); total > 0 {
			page.Total += total
			runs = append(runs, &run{ranking: pages.order.on(p), ranks: ranks})
		}
	}
	newest, total := pages.newest(v.delta)
	page.Total += total
	page.take(append(runs, newest), pages.order, v.confirmation, q.Limit)
	return page, s.visited
}

// take fills the page from runs and finds out whether another follows.
func (page *Page) take(runs []*run, o order, c *Confirmation, limit int) {
	page.Listings = make([]Listing, 0, min(limit, page.Total))
	var last Position
	for {
		next := leading(runs, o)
		switch {
		case next == nil:
			return
		case len(page.Listings) == limit:
			page.Next = &last
			return
		}
		last = next.at
		page.Listings = append(page.Listings, next.take(c))
	}
}

// paging finds the page's share of each part of a view.
type paging struct {
	query   Query
	filters []filter
	order   order
	scratch *scratch
}

// of returns how many documents of a segment match, and the ranks of those that may be on the page or tell that another follows.
func (g *paging) of(p *part) (ranks []uint32, total int) {
	clauses, ok := p.clauses(g.filters)
	if !ok {
		return nil, 0
	}
	r, from := g.order.on(p), uint32(0)
	if g.query.After != nil {
		from = r.after(*g.query.After)
	}
	few := g.query.Limit + 1
	switch {
	case len(clauses) == 0:
		ranks, _ = g.walk(r, from, nil, p.len())
		return ranks, p.alive()
	case len(clauses) == 1 && isExact(clauses[0]) && few*p.len() < clauses[0].size()*clauses[0].size()/2:
		// So many match that the page is soon found in the order itself, unless the filter and the order go together.
		if ranks, ok := g.walk(r, from, clauses[0], clauses[0].size()); ok {
			return ranks, clauses[0].size() - p.graves.within(clauses[0])
		}
	}
	found := p.find(clauses, g.scratch)
	return r.first(found, from, few, g.scratch), len(found)
}

// isExact says that the clause's size is how many documents match.
func isExact(c clause) bool {
	_, atMost := c.(anyWord)
	return !atMost
}

// walk follows the order until there are enough documents; it is not ok when those looked at are more than patience.
func (g *paging) walk(r ranking, from uint32, c clause, patience int) (ranks []uint32, ok bool) {
	few := g.query.Limit + 1
	for doc := range r.from(from) {
		if patience--; patience < 0 {
			return nil, false
		}
		g.scratch.visited++
		if r.part.graves.has(doc) || c != nil && !c.has(doc) {
			continue
		}
		if ranks = append(ranks, r.rank(doc)); len(ranks) == few {
			break
		}
	}
	return ranks, true
}

// newest returns the entries that match and are behind the page's start, in order, and how many match.
func (g *paging) newest(delta []*entry) (*run, int) {
	g.scratch.visited += len(delta)
	var found run
	total := 0
	for _, e := range delta {
		if !matches(g.filters, e) {
			continue
		}
		total++
		if at := g.order.at(e); g.query.After == nil || g.order.compare(&at, g.query.After) > 0 {
			found.entries = append(found.entries, placed{at, e})
		}
	}
	found.sort(g.order)
	return &found, total
}
