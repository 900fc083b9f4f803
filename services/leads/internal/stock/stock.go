// Package stock asks the inventory service about the vehicle of a lead.
package stock

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/leads/internal/domain"
)

// patience is how long the inventory may take: a lead is not held up by it for longer.
const patience = 2 * time.Second

// Client looks vehicles up.
type Client struct {
	service inventoryv1.InventoryServiceClient
}

// New returns a client of the inventory service.
func New(service inventoryv1.InventoryServiceClient) *Client { return &Client{service: service} }

// Vehicle says whether a tenant has the vehicle for sale. When the inventory gives no answer in 2 seconds the vehicle is
// domain.Unchecked and err, for the log, says why.
func (c *Client) Vehicle(ctx context.Context, tenant string, ref domain.VehicleRef) (v domain.Vehicle, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := c.service.GetVehicle(ctx, &inventoryv1.GetVehicleRequest{
		Tenant: tenant, Vin: given(ref.VIN), Stock: given(ref.Stock), VehicleId: given(ref.VehicleID),
	})
	var fault *contract.Error
	switch {
	case err == nil:
		return domain.Vehicle{Stock: domain.Listed, Rooftop: resp.GetRooftop(), VehicleID: vehicleID(resp.GetListing())}, nil
	case !errors.As(err, &fault), fault.Code.Retryable():
		return domain.Vehicle{Stock: domain.Unchecked}, fmt.Errorf("look up vehicle of interest: %w", err)
	case fault.Code == contract.VehicleUnavailable:
		return domain.Vehicle{Stock: domain.OutOfStock}, nil
	default: // not found, or the names are of different vehicles
		return domain.Vehicle{Stock: domain.Unknown}, nil
	}
}

// vehicleID reads the id in a listing; "" when there is none.
func vehicleID(listing []byte) string {
	var vehicle struct {
		ID string `json:"vehicle_id"`
	}
	if json.Unmarshal(listing, &vehicle) != nil {
		return ""
	}
	return vehicle.ID
}

func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
