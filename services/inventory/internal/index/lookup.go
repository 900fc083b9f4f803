package index

import "cmp"

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
	want := folded(id)
	var found Lookup
	var known Identity // the parts that some vehicle has
	for _, l := range x.listings(tenant) {
		same := common(want, l.id)
		if known = or(known, same); same != want {
			continue
		}
		if found.Listing == nil || cmp.Less(l.id.VehicleID, found.Listing.id.VehicleID) {
			found.Listing = l
		}
	}
	for _, gone := range x.goneOf(tenant) {
		same := common(want, gone)
		known = or(known, same)
		found.Seen = found.Seen || same == want
	}
	found.Split = found.Listing == nil && !found.Seen && known == want
	return found
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
