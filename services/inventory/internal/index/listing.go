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

// Listing is one vehicle on sale, prepared for evaluation. It is never changed.
type Listing struct {
	// JSON is the canonical encoding, what a caller gets.
	JSON []byte
	id   Identity // folded
	// terms as written, and folded; "" is absent.
	terms, folded [numTerms]string
	numbers       [numNumbers]float64 // NaN is absent
	dcFastCharge  *bool
	// words is the folded text that free text searches, one line per member: no word spans two members.
	words string
}

// Rooftop names the rooftop that holds the vehicle; "" when it has none.
func (l *Listing) Rooftop() string { return l.terms[Rooftop] }

func newListing(v *vehicle.Listing) *Listing {
	l := &Listing{JSON: v.JSON, id: folded(v.Identity), dcFastCharge: v.DCFastCharge}
	l.terms = [numTerms]string{
		Make: v.Make, Model: v.Model, Trim: v.Trim, Transmission: v.Transmission, Fuel: v.Fuel, Driveline: v.Driveline, Body: v.Body,
		ExteriorColor: v.ExteriorColor, InteriorColor: v.InteriorColor, Rooftop: v.Rooftop, ChargePort: v.ChargePort,
		Condition: v.Condition, VehicleType: v.VehicleType, Status: v.Status,
	}
	for term, text := range l.terms {
		l.folded[term] = fold(text)
	}
	l.numbers = [numNumbers]float64{
		Year: v.Year, Price: v.Price, ListPrice: v.ListPrice, MSRP: v.MSRP, Mileage: v.Mileage,
		DisplacementCC: v.DisplacementCC, ElectricRangeMi: v.ElectricRangeMi, UpdatedAt: float64(v.UpdatedAt),
	}
	l.words = l.searchText(v)
	return l
}

func (l *Listing) searchText(v *vehicle.Listing) string {
	lines := []string{
		l.folded[Make], l.folded[Model], l.folded[Trim], l.folded[Body], l.folded[ExteriorColor], l.folded[InteriorColor],
		l.id.Stock, fold(v.Description),
	}
	if !math.IsNaN(v.Year) {
		lines = append(lines, strconv.FormatFloat(v.Year, 'f', -1, 64))
	}
	for _, feature := range v.Features {
		lines = append(lines, fold(feature))
	}
	return strings.Join(lines, "\n")
}
