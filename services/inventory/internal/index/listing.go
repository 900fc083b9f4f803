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

// termMembers are the listing members of the terms.
var termMembers = [numTerms]string{
	"make", "model", "trim", "transmission", "fuel", "driveline", "body", "exterior_color", "interior_color", "rooftop",
	"charge_port", "condition", "vehicle_type", "status",
}

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

// numberMembers are the listing members of the numbers.
var numberMembers = [numNumbers]string{
	"year", "price", "list_price", "msrp", "mileage", "displacement_cc", "electric_range_mi", "updated_at",
}

// Identity is how a vehicle can be named. An empty part is not known.
type Identity struct{ VehicleID, VIN, Stock string }

// folded makes identities comparable: vin and stock count without regard to case, vehicle_id exactly.
func (id Identity) folded() Identity {
	return Identity{VehicleID: id.VehicleID, VIN: fold(id.VIN), Stock: fold(id.Stock)}
}

// IdentityOf reads the identity of a vehicle.
func IdentityOf(v vehicle.Vehicle) Identity {
	return Identity{VehicleID: v.Text("vehicle_id"), VIN: v.Text("vin"), Stock: v.Text("stock")}
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

// NewListing prepares a valid listing whose canonical encoding is given.
func NewListing(v vehicle.Vehicle, canonical []byte) *Listing {
	l := &Listing{JSON: canonical, id: IdentityOf(v).folded()}
	for term, member := range termMembers {
		l.terms[term] = v.Text(member)
	}
	if l.terms[VehicleType] == "" {
		l.terms[VehicleType] = "car"
	}
	for term, text := range l.terms {
		l.folded[term] = fold(text)
	}
	for number, member := range numberMembers {
		l.numbers[number] = math.NaN()
		if f, ok := v.Number(member); ok {
			l.numbers[number] = f
		}
	}
	if at, ok := v.Micros("updated_at"); ok {
		l.numbers[UpdatedAt] = float64(at)
	}
	if b, ok := v.Bool("dc_fast_charge"); ok {
		l.dcFastCharge = &b
	}
	l.words = l.searchText(v)
	return l
}

func (l *Listing) searchText(v vehicle.Vehicle) string {
	lines := []string{
		l.folded[Make], l.folded[Model], l.folded[Trim], l.folded[Body], l.folded[ExteriorColor], l.folded[InteriorColor],
		l.id.Stock, fold(v.Text("description")),
	}
	if year, ok := v.Number("year"); ok {
		lines = append(lines, strconv.FormatFloat(year, 'f', -1, 64))
	}
	for _, feature := range v.Texts("features") {
		lines = append(lines, fold(feature))
	}
	return strings.Join(lines, "\n")
}
