package index

import "slices"

// view is a tenant's stock at one time. It never changes: a change makes another that shares most of it. A vehicle is either a
// living document of one part or an entry of the delta.
type view struct {
	parts        []*part
	delta        []*entry // the newest listings, in no order
	confirmation *Confirmation
}

var empty = new(view)

// bury returns the view without the vehicle in its parts, and the part that it was in; nil when it was in none.
func (v view) bury(vehicleID string) (view, *part) {
	hash := hashOf(vehicleID)
	for i, p := range v.parts {
		if !p.hashes.mayHave(hash) {
			continue
		}
		doc, ok := p.locate(vehicleID)
		if !ok || p.graves.has(doc) {
			continue
		}
		other := *p
		other.graves = p.graves.bury(doc)
		v.parts = slices.Clone(v.parts)
		v.parts[i] = &other
		return v, &other
	}
	return v, nil
}

// lists says whether the vehicle is on sale.
func (v *view) lists(vehicleID string) bool {
	for _, p := range v.parts {
		if doc, ok := p.locate(vehicleID); ok && !p.graves.has(doc) {
			return true
		}
	}
	return slices.ContainsFunc(v.delta, func(e *entry) bool { return e.id.VehicleID == vehicleID })
}
