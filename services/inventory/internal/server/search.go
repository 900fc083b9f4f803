package server

import (
	"context"
	"errors"
	"fmt"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory/internal/cursor"
	"forecourt.internal/services/inventory/internal/index"
)

// Search returns one page of the listings that match (R-CUR).
func (s *Server) Search(_ context.Context, req *inventoryv1.SearchRequest) (*inventoryv1.SearchResponse, error) {
	doc, err := s.tenant(req.GetTenant())
	if err != nil {
		return nil, err
	}
	if err := unsupported(req.GetFilters(), doc); err != nil {
		return nil, err
	}
	limit := int(req.GetLimit())
	if limit < 1 || limit > contract.MaxPageLimit {
		return nil, invalid("/pagination/limit", "range", "The limit is out of range.",
			fmt.Sprintf("Send a limit from 1 to %d.", contract.MaxPageLimit))
	}
	query := index.Query{
		Filters: filters(req.GetFilters(), doc),
		Sort:    index.Sort{Field: req.GetSort().GetField(), Descending: req.GetSort().GetDescending()},
		Limit:   limit,
	}
	if !index.CanSort(query.Sort.Field) {
		return nil, invalid("/sort/field", "enum", "The listings cannot be sorted by this field.",
			"Sort by price, list_price, msrp, mileage, year, make, model, stock or updated_at.")
	}
	binding, err := cursor.Bind(req.GetTenant(), query.Filters, query.Sort)
	if err != nil {
		return nil, err
	}
	if req.GetCursor() != "" {
		after, err := s.cursors.Decode(binding, req.GetCursor())
		if err != nil {
			return nil, cursorFault(err)
		}
		query.After = &after
	}
	page := s.index.Search(req.GetTenant(), query)
	resp := &inventoryv1.SearchResponse{Total: int64(page.Total), Listings: make([][]byte, len(page.Listings))}
	for i, l := range page.Listings {
		resp.Listings[i] = l.JSON()
	}
	if page.Next != nil {
		resp.NextCursor = s.cursors.Encode(binding, *page.Next)
	}
	return resp, nil
}

func cursorFault(err error) error {
	problem := contract.Problem{
		InstanceLocation: "/pagination/cursor", Keyword: "cursor", Correction: "Start again without a cursor.",
	}
	if errors.Is(err, cursor.ErrExpired) {
		problem.Error = "The cursor is too old."
		return contract.NewError(contract.CursorExpired, "The search results have expired.", problem)
	}
	problem.Error = "The cursor is not one that this search returned; filters and sort must stay the same on all pages."
	return contract.NewError(contract.CursorInvalid, "The cursor does not belong to this search.", problem)
}
