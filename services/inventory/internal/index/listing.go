package index

import (
	"math"
	"strconv"
	"strings"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// Term is a text member that can be filtered by and counted.
type Term int

// The terms.
const (
	Make Term = iota
	Model
	Trim
	Transmission
	Fuel
	Driveline
	Body
	ExteriorColor
	InteriorColor
	Rooftop
	ChargePort
	Condition
	VehicleType
	Status
	numTerms
)

// Number is a numeric member that can be filtered or sorted by.
type Number int

// The numbers. Money is whole US dollars, distances are miles, UpdatedAt is microseconds since 1970.
const (
	Year Number = iota
	Price
	ListPrice
	MSRP
	Mileage
	DisplacementCC
	ElectricRangeMi
	UpdatedAt
	numNumbers
)

// Identity is how a vehicle can be named. An empty part is not known.
type Identity = vehicle.Identity

// folded makes identities comparable: vin and stock count without regard to case, vehicle_id exactly.
func folded(id Identity) Identity {
	return Identity{VehicleID: id.VehicleID, VIN: fold(id.VIN), Stock: fold(id.Stock)}
}

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

func newEntry(seq uint64, v *vehicle.Listing, c *Confirmation) *entry {
	e := &entry{listing: v, seq: seq, id: folded(v.Identity)}
	e.terms = [numTerms]string{
		Make: v.Make, Model: v.Model, Trim: v.Trim, Transmission: v.Transmission, Fuel: v.Fuel, Driveline: v.Driveline, Body: v.Body,
		ExteriorColor: v.ExteriorColor, InteriorColor: v.InteriorColor, Rooftop: v.Rooftop, ChargePort: v.ChargePort,
		Condition: v.Condition, VehicleType: v.VehicleType, Status: v.Status,
	}
	for term, text := range e.terms {
		e.folded[term] = fold(text)
	}
	e.numbers = [numNumbers]float64{
		Year: v.Year, Price: v.Price, ListPrice: v.ListPrice, MSRP: v.MSRP, Mileage: v.Mileage,
		DisplacementCC: v.DisplacementCC, ElectricRangeMi: v.ElectricRangeMi,
		UpdatedAt: float64(max(v.UpdatedAt, c.of(seq, v.VehicleID))),
	}
	e.words = e.searchText()
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

func (e *entry) searchText() string {
	v := e.listing
	var b strings.Builder
	b.Grow(len(v.Description) + 32*len(v.Features) + 128)
	for _, term := range []Term{Make, Model, Trim, Body, ExteriorColor, InteriorColor} {
		b.WriteString(e.folded[term])
		b.WriteByte('\n')
	}
	b.WriteString(e.id.Stock)
	b.WriteByte('\n')
	b.WriteString(fold(v.Description))
	if !math.IsNaN(v.Year) {
		b.WriteByte('\n')
		b.WriteString(strconv.FormatFloat(v.Year, 'f', -1, 64))
	}
	for _, feature := range v.Features {
		b.WriteByte('\n')
		b.WriteString(fold(feature))
	}
	return b.String()
}
