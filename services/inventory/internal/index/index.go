package index

import (
	"sync"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// Index is the stock of all tenants. It is safe for concurrent use: readers work on an immutable view and wait for nobody, the
// writers of one tenant take turns. The zero value is empty and ready.
type Index struct {
	tenants sync.Map // *lot by tenant
	sizes   sizes
	merger  merger
}

// sizes are when the index is rearranged; zero values stand for the defaults. They change its cost and never its answers.
type sizes struct {
	delta  int // entries in a full delta
	factor int // as many segments of like size become one
	inline int // living documents up to which a writer merges segments itself
	docs   int // in a segment at most
}

// The defaults. A delta is small enough to be scanned by every search in some microseconds; a writer merges for at most some
// milliseconds.
func (s sizes) orDefault() sizes {
	if s == (sizes{}) {
		return sizes{delta: 128, factor: 4, inline: 2048, docs: maxDocs}
	}
	return s
}

// Put adds a listing, from the event with a sequence of the stream, or replaces the one of the same vehicle.
func (x *Index) Put(tenant string, seq uint64, v *vehicle.Listing) { x.ensure(tenant).put(seq, v) }

// Remove takes a vehicle out of stock and remembers its identity.
func (x *Index) Remove(tenant string, id Identity) { x.ensure(tenant).remove(folded(id)) }

// Confirm says when the tenant's listings were found unchanged. It replaces what an earlier one said, and also covers listings
// that are put later with a sequence that it covers. The index keeps c.Others; the caller must not change it.
func (x *Index) Confirm(tenant string, c Confirmation) { x.ensure(tenant).confirm(&c) }

// Knows says whether the vehicle is or was listed.
func (x *Index) Knows(tenant, vehicleID string) bool {
	l := x.lot(tenant)
	if l == nil {
		return false
	}
	v, gone := l.look(Identity{VehicleID: vehicleID})
	return gone.known.VehicleID != "" || v.lists(vehicleID)
}

// view returns a tenant's stock as of now.
func (x *Index) view(tenant string) *view {
	if l := x.lot(tenant); l != nil {
		return l.view.Load()
	}
	return empty
}

func (x *Index) lot(tenant string) *lot {
	l, _ := x.tenants.Load(tenant)
	known, _ := l.(*lot)
	return known
}

func (x *Index) ensure(tenant string) *lot {
	if l := x.lot(tenant); l != nil {
		return l
	}
	l := &lot{merger: &x.merger, sizes: x.sizes.orDefault(), fresh: make(map[string]int)}
	l.view.Store(empty)
	kept, _ := x.tenants.LoadOrStore(tenant, l)
	return kept.(*lot)
}
