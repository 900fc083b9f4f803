package server

import (
	"context"
	"encoding/json"
	"fmt"

	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// profile is the public part of a tenant document, in the shape of dealer-information.schema.json.
type profile struct {
	Name           string           `json:"name"`
	WelcomeMessage string           `json:"welcome_message,omitempty"`
	Rooftops       []tenant.Rooftop `json:"rooftops"`
}

// GetDealer returns the dealership's public profile.
func (s *Server) GetDealer(_ context.Context, req *inventoryv1.GetDealerRequest) (*inventoryv1.GetDealerResponse, error) {
	doc, err := s.tenant(req.GetTenant())
	if err != nil {
		return nil, err
	}
	dealer, err := json.Marshal(profile{Name: doc.Name, WelcomeMessage: doc.WelcomeMessage, Rooftops: doc.Rooftops})
	if err != nil {
		return nil, fmt.Errorf("encode dealer: %w", err)
	}
	return &inventoryv1.GetDealerResponse{Dealer: dealer}, nil
}
