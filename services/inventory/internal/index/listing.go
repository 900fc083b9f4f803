package index

import "forecourt.internal/services/inventory/internal/vehicle"

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
