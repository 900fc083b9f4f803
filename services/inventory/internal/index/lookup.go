package index

import "strings"

// Lookup is what is known of the vehicle that an identity names.
type Lookup struct {
	// Listing is nil when no such vehicle is on sale. When several match, it is the one with the lowest vehicle id.
	Listing *Listing
	// Seen says that a vehicle that matches was listed once and is out of stock.
	Seen bool
	// Split says that every given part is known, on sale or seen, yet no vehicle has them all.
	Split bool
}

// Lookup finds a vehicle by every part of the identity that is given. vin and stock match without regard to case.
func (x *Index) Lookup(tenant string, id Identity) Lookup {
	l := x.lot(tenant)
	if l == nil {
		return Lookup{}
	}
	want := folded(id)
	v, gone := l.look(want)
	seek := seeking{want: want, known: gone.known}
	for _, p := range v.parts {
		for _, doc := range p.sharing(want) {
			seek.consider(p.identity(doc), func() Listing { return p.listing(doc, v.confirmation) })
		}
	}
	for _, e := range v.delta {
		seek.consider(e.id, func() Listing { return e.shown(v.confirmation) })
	}
	found := Lookup{Listing: seek.listing, Seen: gone.seen}
	found.Split = found.Listing == nil && !found.Seen && seek.known == want
	return found
}

// sharing returns the living documents that have a part of the identity; one may come several times.
func (p *part) sharing(id Identity) []uint16 {
	var docs []uint16
	if doc, ok := p.locate(id.VehicleID); ok {
		docs = append(docs, doc)
	}
	for _, f := range []named{{id.VIN, vinOf}, {id.Stock, stockOf}} {
		docs = f.on(p).list(docs, nil)
	}
	return p.graves.living(docs)
}

// seeking is the state of a look-up.
type seeking struct {
	want, known Identity // known are the parts that some vehicle has
	listing     *Listing
	vehicleID   string // of listing
}

func (s *seeking) consider(id Identity, listing func() Listing) {
	same := common(s.want, id)
	s.known = or(s.known, same)
	if same != s.want || s.listing != nil && strings.Compare(s.vehicleID, id.VehicleID) <= 0 {
		return
	}
	found := listing()
	s.listing, s.vehicleID = &found, id.VehicleID
}
