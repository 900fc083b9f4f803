package server

import (
	"context"
	"encoding/json"
	"fmt"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// Facets counts values over the listings that match.
func (s *Server) Facets(_ context.Context, req *inventoryv1.FacetsRequest) (*inventoryv1.FacetsResponse, error) {
	doc, err := s.tenant(req.GetTenant())
	if err != nil {
		return nil, err
	}
	if err := unsupported(req.GetFilters(), doc); err != nil {
		return nil, err
	}
	facets, err := json.Marshal(s.index.Facets(req.GetTenant(), filters(req.GetFilters(), doc)))
	if err != nil {
		return nil, fmt.Errorf("encode facets: %w", err)
	}
	return &inventoryv1.FacetsResponse{Facets: facets}, nil
}
