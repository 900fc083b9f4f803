package feed

import (
	"strings"

	"forecourt.internal/platform/tenant"
)

// place is what a row says of the rooftop.
type place struct {
	cell
	// code says that the text may be a name in another system, so that an unknown one says nothing.
	code bool
}

func placesOf(r row) []place {
	var places []place
	for c := range r.cells(fieldRooftop) {
		places = append(places, place{cell: c})
	}
	for c := range r.cells(fieldRooftopCode) {
		places = append(places, place{c, true})
	}
	return places
}

// placeAt sets the rooftop to the tenant's spelling of the first candidate that is one. The dealership's own name says nothing
// about the place. What names no rooftop is at that of the file, or at the only one. A vehicle that is gone may have been anywhere, but a
// file of one rooftop says nothing of the others.
func (b *builder) placeAt(d *draft) {
	name, unknown := b.findRooftop(d.rooftops)
	only := b.settings.Rooftop
	switch {
	case name.text != "" && only != "" && foldName(name.text) != foldName(only):
		b.fail(d, name.column, bad("the row is of another rooftop than the file", "Import it with a file of its own rooftop, or without naming one."))
	case name.text != "":
		d.put("rooftop", name.text, name.column)
	case unknown != nil && !d.gone:
		b.fail(d, unknown.column, bad("the location is not a rooftop of the dealership",
			"Use the name of a rooftop as in the tenant document: "+rooftopList(b.settings.Tenant)+"."))
	case only != "":
		d.vehicle["rooftop"] = b.rooftops[foldName(only)]
	case len(b.settings.Tenant.Rooftops) == 1:
		d.vehicle["rooftop"] = b.settings.Tenant.Rooftops[0].Name
	}
}

// findRooftop returns the first candidate that is a rooftop, in the tenant's spelling, else the first that should be one.
func (b *builder) findRooftop(candidates []place) (found cell, unknown *cell) {
	for i, c := range candidates {
		name, ok := b.rooftops[foldName(c.text)]
		switch {
		case ok:
			return cell{c.column, name}, nil
		case unknown == nil && !c.code && c.text != "" && foldName(c.text) != foldName(b.settings.Tenant.Name):
			unknown = &candidates[i].cell
		}
	}
	return cell{}, unknown
}

func rooftopNames(t *tenant.Document) map[string]string {
	names := make(map[string]string, len(t.Rooftops))
	for _, r := range t.Rooftops {
		names[foldName(r.Name)] = r.Name
	}
	return names
}

func rooftopList(t *tenant.Document) string {
	names := make([]string, len(t.Rooftops))
	for i, r := range t.Rooftops {
		names[i] = r.Name
	}
	return strings.Join(names, ", ")
}

func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }
