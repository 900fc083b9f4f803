package index

import (
	"slices"
	"sync"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// Index is the stock of all tenants. It is safe for concurrent use: a reader works on an immutable list of the tenant's
// listings and holds a lock only to get it. The zero value is empty and ready.
type Index struct {
	mu      sync.RWMutex
	tenants map[string]*lot
}

// lot is one tenant's vehicles.
type lot struct {
	mu       sync.Mutex
	listings []*Listing     // in no order
	place    map[string]int // vehicle id to its place in listings
	// gone are vehicles once listed that are out of stock, by vehicle id.
	gone map[string]Identity
	// view and viewGone are copies that readers share; nil after a change.
	view     []*Listing
	viewGone []Identity
}

// Put adds a listing, from the event with a sequence of the stream, or replaces the one of the same vehicle.
func (x *Index) Put(tenant string, seq uint64, v *vehicle.Listing) {
	l := newListing(v)
	s := x.ensure(tenant)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.view = nil
	if i, ok := s.place[l.id.VehicleID]; ok {
		s.listings[i] = l
		return
	}
	s.place[l.id.VehicleID] = len(s.listings)
	s.listings = append(s.listings, l)
	if _, was := s.gone[l.id.VehicleID]; was {
		delete(s.gone, l.id.VehicleID)
		s.viewGone = nil
	}
}

// Remove takes a vehicle out of stock and remembers its identity.
func (x *Index) Remove(tenant string, id Identity) {
	s := x.ensure(tenant)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone[id.VehicleID] = folded(id)
	s.viewGone = nil
	i, ok := s.place[id.VehicleID]
	if !ok {
		return
	}
	last := len(s.listings) - 1
	s.listings[i] = s.listings[last]
	s.place[s.listings[i].id.VehicleID] = i
	s.listings[last] = nil
	s.listings = s.listings[:last]
	delete(s.place, id.VehicleID)
	s.view = nil
}

// Knows says whether the vehicle is or was listed.
func (x *Index) Knows(tenant, vehicleID string) bool {
	s := x.lot(tenant)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, listed := s.place[vehicleID]
	_, gone := s.gone[vehicleID]
	return listed || gone
}

// listings returns the tenant's listings, in no order, as of now.
func (x *Index) listings(tenant string) []*Listing {
	s := x.lot(tenant)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view == nil {
		s.view = slices.Clone(s.listings)
	}
	return s.view
}

// goneOf returns the identities of the tenant's vehicles that are out of stock, in no order.
func (x *Index) goneOf(tenant string) []Identity {
	s := x.lot(tenant)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.viewGone == nil {
		s.viewGone = make([]Identity, 0, len(s.gone))
		for _, id := range s.gone {
			s.viewGone = append(s.viewGone, id)
		}
	}
	return s.viewGone
}

func (x *Index) lot(tenant string) *lot {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.tenants[tenant]
}

func (x *Index) ensure(tenant string) *lot {
	if s := x.lot(tenant); s != nil {
		return s
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if s := x.tenants[tenant]; s != nil {
		return s
	}
	if x.tenants == nil {
		x.tenants = make(map[string]*lot)
	}
	s := &lot{place: make(map[string]int), gone: make(map[string]Identity)}
	x.tenants[tenant] = s
	return s
}
