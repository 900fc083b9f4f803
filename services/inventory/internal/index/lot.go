package index

import (
	"slices"
	"sync"
	"sync/atomic"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// lot is one tenant's vehicles. Its methods that change it publish a new view.
type lot struct {
	view   atomic.Pointer[view]
	merger *merger
	sizes  sizes

	mu    sync.Mutex     // of writers
	fresh map[string]int // vehicle id to its place in the delta
	fold  folding
	busy  []*part // being merged in the background

	// goneMu lets look see a vehicle in the view or among the gone and never in neither.
	goneMu sync.RWMutex
	gone   gone
}

func (l *lot) put(seq uint64, listing *vehicle.Listing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := *l.view.Load()
	e := newEntry(seq, listing, v.confirmation, &l.fold)
	if i, ok := l.fresh[e.id.VehicleID]; ok {
		v.delta = slices.Clone(v.delta)
		v.delta[i] = e
		l.view.Store(&v)
		return
	}
	v, _ = v.bury(e.id.VehicleID)
	l.fresh[e.id.VehicleID] = len(v.delta)
	// Readers of earlier views do not look behind their end of the delta, so that it may grow in place.
	v.delta = append(v.delta, e)
	if len(v.delta) >= l.sizes.delta {
		v = l.seal(v)
	}
	l.publish(&v, func() { l.gone.drop(e.id.VehicleID) })
}

func (l *lot) remove(id Identity) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := *l.view.Load()
	if i, ok := l.fresh[id.VehicleID]; ok {
		v.delta = slices.Clone(v.delta)
		last := len(v.delta) - 1
		v.delta[i] = v.delta[last]
		l.fresh[v.delta[i].id.VehicleID] = i
		v.delta[last] = nil
		v.delta = v.delta[:last]
		delete(l.fresh, id.VehicleID)
	} else if buried, p := v.bury(id.VehicleID); p != nil {
		v = buried
		if isSparse(p) {
			v = l.tidy(v)
		}
	}
	l.publish(&v, func() { l.gone.add(id) })
}

// publish shows a view to readers, together with a change of the gone.
func (l *lot) publish(v *view, change func()) {
	l.goneMu.Lock()
	defer l.goneMu.Unlock()
	change()
	l.view.Store(v)
}

// look returns the stock, and what is known of an identity among the gone, as of one time.
func (l *lot) look(id Identity) (*view, departed) {
	l.goneMu.RLock()
	defer l.goneMu.RUnlock()
	return l.view.Load(), l.gone.find(id)
}

// confirm works on documents one by one, on the writer's time.
func (l *lot) confirm(c *Confirmation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := *l.view.Load()
	v.confirmation = c
	v.delta, v.parts = slices.Clone(v.delta), slices.Clone(v.parts)
	for i, e := range v.delta {
		v.delta[i] = e.confirmed(c)
	}
	for i, p := range v.parts {
		v.parts[i] = p.confirmed(c)
	}
	l.view.Store(&v)
}

// seal turns the delta into a segment.
func (l *lot) seal(v view) view {
	sealed := &part{segment: build(slices.Clone(v.delta))}
	v.parts = append(slices.Clone(v.parts), sealed.confirmed(v.confirmation))
	v.delta = nil
	clear(l.fresh)
	return l.tidy(v)
}

// tidy merges segments; large ones later, in the background.
func (l *lot) tidy(v view) view {
	for {
		chosen := l.sizes.choose(v.parts, l.busy)
		if len(chosen) == 0 {
			return v
		}
		if living(chosen) > l.sizes.inline {
			l.merger.add(l)
			return v
		}
		merged, _ := mergeParts(chosen)
		v = v.replace(chosen, (&part{segment: merged}).confirmed(v.confirmation))
	}
}

// replace returns the view with one part instead of some; with none when it has no documents.
func (v view) replace(old []*part, merged *part) view {
	parts := make([]*part, 0, len(v.parts))
	for _, p := range v.parts {
		if !slices.ContainsFunc(old, p.isOf) {
			parts = append(parts, p)
		}
	}
	if merged.len() > 0 {
		parts = append(parts, merged)
	}
	v.parts = parts
	return v
}

// isOf says whether two parts are states of one segment.
func (p *part) isOf(other *part) bool { return p.segment == other.segment }
