package index

import (
	"cmp"
	"hash/maphash"
)

// gone are vehicles once listed that are out of stock. There may be many more of them than listings, so that they are kept in a
// few pieces without pointers. The zero value is empty.
type gone struct {
	names   []byte                      // of all records
	records []record                    // dropped ones included
	newest  [numParts]map[uint64]uint32 // the newest record by the hash of a part, counted from 1
	seed    maphash.Seed
	dropped int
}

// The parts of an identity.
const (
	byID = iota
	byVIN
	byStock
	numParts
)

// record is one vehicle.
type record struct {
	ends    [numParts]uint32 // of its parts in names
	older   [numParts]uint32 // the record before with the same hash of a part, counted from 1; 0 is none
	dropped bool
}

func parts(id Identity) [numParts]string {
	return [numParts]string{byID: id.VehicleID, byVIN: id.VIN, byStock: id.Stock}
}

// departed is what the gone know of an identity.
type departed struct {
	known Identity // the parts that some vehicle has
	seen  bool     // one vehicle has all parts
}

// add remembers a vehicle by its folded identity, instead of what was known of it.
func (g *gone) add(id Identity) {
	g.drop(id.VehicleID)
	if g.newest[byID] == nil {
		g.seed = maphash.MakeSeed()
		for part := range g.newest {
			g.newest[part] = make(map[uint64]uint32)
		}
	}
	var r record
	number := uint32(len(g.records) + 1)
	for part, name := range parts(id) {
		g.names = append(g.names, name...)
		r.ends[part] = uint32(len(g.names))
		if name == "" {
			continue
		}
		hash := maphash.String(g.seed, name)
		r.older[part] = g.newest[part][hash]
		g.newest[part][hash] = number
	}
	g.records = append(g.records, r)
}

// drop forgets a vehicle that is listed again.
func (g *gone) drop(vehicleID string) {
	for i := range g.having(byID, vehicleID) {
		g.records[i].dropped = true
		if g.dropped++; g.dropped > len(g.records)/2+1000 {
			g.rebuild()
		}
		return
	}
}

// rebuild frees the memory of dropped records.
func (g *gone) rebuild() {
	var kept gone
	for i, r := range g.records {
		if !r.dropped {
			kept.add(g.identity(i))
		}
	}
	*g = kept
}

// having yields the vehicles with a part.
func (g *gone) having(part int, name string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if name == "" || len(g.records) == 0 {
			return
		}
		for n := g.newest[part][maphash.String(g.seed, name)]; n != 0; n = g.records[n-1].older[part] {
			i := int(n - 1)
			if !g.records[i].dropped && string(g.name(i, part)) == name && !yield(i) {
				return
			}
		}
	}
}

func (g *gone) name(i, part int) []byte {
	start := uint32(0)
	switch {
	case part > 0:
		start = g.records[i].ends[part-1]
	case i > 0:
		start = g.records[i-1].ends[numParts-1]
	}
	return g.names[start:g.records[i].ends[part]]
}

func (g *gone) identity(i int) Identity {
	return Identity{VehicleID: string(g.name(i, byID)), VIN: string(g.name(i, byVIN)), Stock: string(g.name(i, byStock))}
}

// find returns what is known of a folded identity.
func (g *gone) find(id Identity) departed {
	var d departed
	for part, name := range parts(id) {
		for i := range g.having(part, name) {
			same := common(id, g.identity(i))
			d.known = or(d.known, same)
			d.seen = d.seen || same == id
		}
	}
	return d
}

// common keeps the parts in which two identities agree.
func common(id, other Identity) Identity {
	var same Identity
	if id.VehicleID == other.VehicleID {
		same.VehicleID = id.VehicleID
	}
	if id.VIN == other.VIN {
		same.VIN = id.VIN
	}
	if id.Stock == other.Stock {
		same.Stock = id.Stock
	}
	return same
}

// or adds the other's parts to those that are not known.
func or(id, other Identity) Identity {
	return Identity{
		VehicleID: cmp.Or(id.VehicleID, other.VehicleID),
		VIN:       cmp.Or(id.VIN, other.VIN),
		Stock:     cmp.Or(id.Stock, other.Stock),
	}
}
