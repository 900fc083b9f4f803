package index

import (
	"math"
	"strconv"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// entry is one vehicle on sale, prepared for evaluation without an index. It is never changed.
type entry struct {
	listing *vehicle.Listing
	seq     uint64   // of the event in the stream
	id      Identity // folded
	// terms as written, and folded; "" is absent.
	terms, folded [numTerms]string
	// numbers has NaN for absent ones; UpdatedAt is the time that is shown.
	numbers [numNumbers]float64
	// words is the folded text that free text searches, one line per member: no word spans two members.
	words string
}

func newEntry(seq uint64, v *vehicle.Listing, c *Confirmation, f *folding) *entry {
	e := &entry{listing: v, seq: seq}
	e.terms = [numTerms]string{
		Make: v.Make, Model: v.Model, Trim: v.Trim, Transmission: v.Transmission, Fuel: v.Fuel, Driveline: v.Driveline, Body: v.Body,
		ExteriorColor: v.ExteriorColor, InteriorColor: v.InteriorColor, Rooftop: v.Rooftop, ChargePort: v.ChargePort,
		Condition: v.Condition, VehicleType: v.VehicleType, Status: v.Status,
	}
	e.numbers = [numNumbers]float64{
		Year: v.Year, Price: v.Price, ListPrice: v.ListPrice, MSRP: v.MSRP, Mileage: v.Mileage,
		DisplacementCC: v.DisplacementCC, ElectricRangeMi: v.ElectricRangeMi,
		UpdatedAt: float64(max(v.UpdatedAt, c.of(seq, v.VehicleID))),
	}
	e.fold(f)
	return e
}

// confirmed is the entry as another confirmation shows it.
func (e *entry) confirmed(c *Confirmation) *entry {
	shown := float64(max(e.listing.UpdatedAt, c.of(e.seq, e.id.VehicleID)))
	if shown == e.numbers[UpdatedAt] {
		return e
	}
	other := *e
	other.numbers[UpdatedAt] = shown
	return &other
}

var (
	searchedTerms = []Term{Make, Model, Trim, Body, ExteriorColor, InteriorColor}
	otherTerms    = []Term{Transmission, Fuel, Driveline, Rooftop, ChargePort, Condition, VehicleType, Status}
)

// fold folds all texts into one piece of memory: what free text searches, then the rest.
func (e *entry) fold(f *folding) {
	f.text = f.text[:0]
	v := e.listing
	var lines [numTerms]vehicle.Span
	for _, term := range searchedTerms {
		lines[term] = f.line(e.terms[term])
	}
	stock := f.line(v.Stock)
	f.line(v.Description)
	for _, feature := range v.Features {
		f.line(feature)
	}
	if !math.IsNaN(v.Year) {
		f.text = append(strconv.AppendFloat(f.text, v.Year, 'f', -1, 64), '\n')
	}
	searched := len(f.text)
	for _, term := range otherTerms {
		lines[term] = f.line(e.terms[term])
	}
	vin := f.line(v.VIN)

	text := string(f.text)
	for term, at := range lines {
		e.folded[term] = text[at.Start:at.End]
	}
	e.id = Identity{VehicleID: v.VehicleID, VIN: text[vin.Start:vin.End], Stock: text[stock.Start:stock.End]}
	e.words = text[:searched]
}

// folding is memory to fold in.
type folding struct{ text []byte }

// line appends a folded text and a line break, and returns where the text stands.
func (f *folding) line(s string) vehicle.Span {
	start := len(f.text)
	f.text = appendFold(f.text, s)
	at := vehicle.Span{Start: uint32(start), End: uint32(len(f.text))}
	f.text = append(f.text, '\n')
	return at
}
