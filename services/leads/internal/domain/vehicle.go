package domain

import "forecourt.internal/contract"

// VehicleRef names a vehicle; at least one member is set.
type VehicleRef struct{ VIN, Stock, VehicleID string }

// Stock is what the inventory says about the vehicle of interest.
type Stock int

const (
	// NotNamed: the request names no vehicle.
	NotNamed Stock = iota
	// Listed: the vehicle is for sale.
	Listed
	// Unknown: the dealership never had it, or the names given are of different vehicles.
	Unknown
	// OutOfStock: the dealership had it once.
	OutOfStock
	// Unchecked: the inventory did not answer.
	Unchecked
)

// Vehicle is the vehicle of interest as the inventory knows it.
type Vehicle struct {
	Stock Stock
	// Rooftop is the location that holds it; "" when unknown.
	Rooftop string
	// VehicleID is the listing's; "" unless it is Listed.
	VehicleID string
}

// refusal is why the vehicle cannot be driven; nil when it can, or when that is not known.
func (v Vehicle) refusal() *contract.Error {
	switch v.Stock {
	case Unknown:
		return contract.NewError(contract.VehicleNotFound, "The dealership does not know this vehicle.", contract.Problem{
			InstanceLocation: "/vehicle_of_interest", Keyword: "in_stock",
			Error:      "A test drive is requested of a vehicle that is not in the dealership's stock.",
			Correction: "Send the vehicle_id of a vehicle that inventory.search returns, or leave out the test drive.",
		})
	case OutOfStock:
		return contract.NewError(contract.VehicleUnavailable, "The vehicle is no longer in stock.", contract.Problem{
			InstanceLocation: "/vehicle_of_interest", Keyword: "in_stock",
			Error:      "A test drive is requested of a vehicle that is no longer in stock.",
			Correction: "Send the vehicle_id of another vehicle that inventory.search returns, or leave out the test drive.",
		})
	default:
		return nil
	}
}

// remark tells the buyer about a vehicle that the lead was taken for all the same; "" when there is nothing to tell.
func (v Vehicle) remark() string {
	switch v.Stock {
	case Unknown:
		return "The lead was received, but the vehicle of interest is not in the dealership's stock."
	case OutOfStock:
		return "The lead was received, but the vehicle of interest is no longer in stock."
	case Unchecked:
		return "The lead was received. Whether the vehicle of interest is in stock could not be checked; the dealership will tell."
	default:
		return ""
	}
}
