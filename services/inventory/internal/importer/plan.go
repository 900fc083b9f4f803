package importer

import (
	"runtime"
	"slices"
	"sync"

	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// unchanged is the kind of a row that is no event.
const unchanged eventlog.Kind = ""

// plan is what a feed does to the stock.
type plan struct {
	// kinds are the events of the feed's rows, row by row.
	kinds []eventlog.Kind
	// rows are the places of vehicles among the feed's rows.
	rows map[string]int
	// missing are the vehicles that are delisted because the feed does not name them, in the order of ids.
	missing []string
	// leaves are the same, to look them up.
	leaves map[string]bool
	// missingKept counts those that stay because a rejected row may be about any of them.
	missingKept int
}

// newPlan compares a feed with the stock. replace asks for missing vehicles, of a rooftop unless that is "".
func newPlan(read *feed.Feed, stock *eventlog.Stock, replace bool, rooftop string) *plan {
	p := &plan{kinds: decideAll(read.Rows, stock), rows: make(map[string]int, len(read.Rows))}
	for n, row := range read.Rows {
		p.rows[row.VehicleID] = n
	}
	if !replace {
		return p
	}
	p.missing = p.unnamed(read, stock, rooftop)
	if read.Unnamed > 0 {
		p.missing, p.missingKept = nil, len(p.missing)
	}
	p.leaves = make(map[string]bool, len(p.missing))
	for _, id := range p.missing {
		p.leaves[id] = true
	}
	return p
}

// unnamed are the vehicles on sale that neither a good row nor a rejected one names.
func (p *plan) unnamed(read *feed.Feed, stock *eventlog.Stock, rooftop string) []string {
	kept := make(map[string]bool, len(read.Kept))
	for _, id := range read.Kept {
		kept[id] = true
	}
	var ids []string
	for id, last := range stock.Vehicles {
		_, named := p.rows[id]
		if last.OnSale && !named && !kept[id] && (rooftop == "" || last.Rooftop == rooftop) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// decideAll decides on every row. Digests take most of the time, so the rows are shared out.
func decideAll(rows []feed.Row, stock *eventlog.Stock) []eventlog.Kind {
	kinds := make([]eventlog.Kind, len(rows))
	share := len(rows)/runtime.GOMAXPROCS(0) + 1
	var deciders sync.WaitGroup
	for start := 0; start < len(rows); start += share {
		deciders.Go(func() {
			for n := start; n < min(start+share, len(rows)); n++ {
				kinds[n] = decide(rows[n], stock.Vehicles[rows[n].VehicleID])
			}
		})
	}
	deciders.Wait()
	return kinds
}

// decide says what a row does to a vehicle whose last state is known.
func decide(row feed.Row, last eventlog.Last) eventlog.Kind {
	switch {
	case row.Gone && last.OnSale:
		return eventlog.Delisted
	case row.Gone:
		return unchanged
	case !last.OnSale:
		return eventlog.Listed
	}
	if sum, err := vehicle.FactsSum(row.JSON); err == nil && sum == last.Facts {
		return unchanged
	}
	return eventlog.Updated
}
