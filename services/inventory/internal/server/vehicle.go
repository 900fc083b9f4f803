package server

import (
	"context"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory/internal/index"
)

// GetVehicle returns one listing. Identifiers that no vehicle has together are VEHICLE_NOT_FOUND; a vehicle that was listed
// once and is out of stock is VEHICLE_UNAVAILABLE.
func (s *Server) GetVehicle(_ context.Context, req *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
	if _, err := s.tenant(req.GetTenant()); err != nil {
		return nil, err
	}
	id := index.Identity{VehicleID: req.GetVehicleId(), VIN: req.GetVin(), Stock: req.GetStock()}
	if id == (index.Identity{}) {
		return nil, invalid("", "anyOf", "No vehicle is named.", "Send vin, stock or vehicle_id.")
	}
	found := s.index.Lookup(req.GetTenant(), id)
	switch {
	case found.Listing != nil:
		return &inventoryv1.GetVehicleResponse{Listing: found.Listing.JSON(), Rooftop: found.Listing.Rooftop()}, nil
	case found.Seen:
		return nil, contract.NewError(contract.VehicleUnavailable, "This vehicle is no longer in stock.",
			identityProblems(id, "in_stock", "The vehicle is no longer in stock.", "Use inventory.search to find a vehicle that is in stock.")...)
	case found.Split:
		return nil, contract.NewError(contract.VehicleNotFound, "The identifiers name different vehicles.",
			identityProblems(id, "same_vehicle", "The identifiers name different vehicles.", "Send one identifier, or several of one vehicle.")...)
	default:
		return nil, contract.NewError(contract.VehicleNotFound, "The dealership has no such vehicle.",
			identityProblems(id, "known", "No vehicle of this dealership has this identifier together with any others sent.",
				"Send vin, stock or vehicle_id as inventory.search returns it.")...)
	}
}

// identityProblems says the same of every identifier that was sent.
func identityProblems(id index.Identity, keyword, text, correction string) []contract.Problem {
	var problems []contract.Problem
	for _, part := range []struct{ at, value string }{{"/vin", id.VIN}, {"/stock", id.Stock}, {"/vehicle_id", id.VehicleID}} {
		if part.value != "" {
			problems = append(problems, contract.Problem{
				InstanceLocation: part.at, Keyword: keyword, Error: text, Correction: correction,
			})
		}
	}
	return problems
}
