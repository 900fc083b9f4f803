package scan

import (
	"cmp"
	"math"
	"slices"
	"strings"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// Search returns how many vehicles match, and the ids of the first page. It sorts by price, mileage or vehicle id, ascending.
func (s *Stock) Search(req *inventoryv1.SearchRequest) (total int, ids []string) {
	filters := s.compile(req.GetFilters())
	first := firstOf{size: int(req.GetLimit())}
	switch req.GetSort().GetField() {
	case "price":
		first.by = func(l *listing) float64 { return l.numbers[byPrice] }
	case "mileage":
		first.by = func(l *listing) float64 { return l.numbers[byMileage] }
	default:
		first.by = func(*listing) float64 { return 0 }
	}
	for i := range s.listings {
		if l := &s.listings[i]; matches(filters, l) {
			total++
			first.add(l)
		}
	}
	for _, p := range first.sorted() {
		ids = append(ids, p.listing.id)
	}
	return total, ids
}

type placed struct {
	at      float64
	listing *listing
}

// firstOf keeps the first few of many listings in order.
type firstOf struct {
	by   func(*listing) float64
	size int
	// kept holds up to twice the size: it is sorted and cut when full, so that a listing costs few comparisons.
	kept []placed
	cut  bool // kept[size-1] bounds what can still be among the first
}

func (f *firstOf) add(l *listing) {
	p := placed{f.by(l), l}
	if math.IsNaN(p.at) { // those without a value come last
		p.at = math.Inf(1)
	}
	if f.cut && order(p, f.kept[f.size-1]) > 0 {
		return
	}
	f.kept = append(f.kept, p)
	if len(f.kept) == 2*f.size {
		f.kept, f.cut = f.sorted(), true
	}
}

func (f *firstOf) sorted() []placed {
	slices.SortFunc(f.kept, order)
	return f.kept[:min(len(f.kept), f.size)]
}

func order(a, b placed) int {
	return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.listing.id, b.listing.id))
}
