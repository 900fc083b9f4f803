package mcpedge_test

import (
	"context"
	"sync"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
)

const (
	listingA = `{"vehicle_id":"a","year":2025,"make":"Toyota","model":"Camry","condition":"new","status":"available","price":33985,"updated_at":"2026-04-30T08:42:00Z"}`
	listingB = `{"vehicle_id":"b","year":2024,"make":"Toyota","model":"Prius","condition":"used","status":"pending","updated_at":"2026-04-30T08:42:00Z"}`

	dealerData = `{"name":"Alpha","rooftops":[{"name":"Main"}]}`
	leadAnswer = `{"type":"lead.submit.response","data":{"lead_id":"lead_01JT3F6Q5X","status":"received"}}`

	validLead = `{"type":"lead.submit.request","customer":{"first_name":"Ines","last_name":"Okafor","email":"ines.okafor@mail.example"},` +
		`"consent":{"granted_at":"2026-04-30T11:05:00Z","allowed_channels":["email"],"consent_text":"You may email me.","scope":["lead_submission"]},` +
		`"source_agent":{"name":"harbor-shopper"},"idempotency_key":"k1"}`
)

// inventory is the other end of the gRPC seam: it records what it was asked and answers with its fields, or what they default
// to.
type inventory struct {
	inventoryv1.UnimplementedInventoryServiceServer

	mu        sync.Mutex
	searched  *inventoryv1.SearchRequest
	facetsOf  *inventoryv1.FacetsRequest
	vehicleOf *inventoryv1.GetVehicleRequest
	dealerOf  *inventoryv1.GetDealerRequest
	answers   stock
}

// stock is what the inventory answers.
type stock struct {
	page    *inventoryv1.SearchResponse
	facets  string
	listing string
	dealer  string
	err     error
	// hold, when set, is called before GetDealer answers.
	hold func(context.Context)
}

// answer sets what comes next.
func (s *inventory) answer(a stock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = a
}

func (s *inventory) Search(_ context.Context, r *inventoryv1.SearchRequest) (*inventoryv1.SearchResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.searched = r
	if s.answers.page == nil {
		return &inventoryv1.SearchResponse{Total: 2, Listings: [][]byte{[]byte(listingA), []byte(listingB)}}, s.answers.err
	}
	return s.answers.page, s.answers.err
}

func (s *inventory) Facets(_ context.Context, r *inventoryv1.FacetsRequest) (*inventoryv1.FacetsResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.facetsOf = r
	return &inventoryv1.FacetsResponse{Facets: []byte(or(s.answers.facets, emptyFacets))}, s.answers.err
}

func (s *inventory) GetVehicle(_ context.Context, r *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.vehicleOf = r
	return &inventoryv1.GetVehicleResponse{Listing: []byte(or(s.answers.listing, listingA))}, s.answers.err
}

func (s *inventory) GetDealer(ctx context.Context, r *inventoryv1.GetDealerRequest) (*inventoryv1.GetDealerResponse, error) {
	s.mu.Lock()
	hold := s.answers.hold
	s.mu.Unlock()
	if hold != nil {
		hold(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dealerOf = r
	return &inventoryv1.GetDealerResponse{Dealer: []byte(or(s.answers.dealer, dealerData))}, s.answers.err
}

const emptyFacets = `{"makes":[],"models":[],"trims":[],"years":[],"conditions":[],"transmissions":[],"fuels":[],"drivelines":[],` +
	`"bodies":[],"vehicle_types":[],"exterior_colors":[],"interior_colors":[],"rooftops":[],"statuses":[],"dc_fast_charge":[],` +
	`"charge_ports":[]}`

// leads is the other end of the gRPC seam for leads.
type leads struct {
	leadsv1.UnimplementedLeadsServiceServer

	mu        sync.Mutex
	submitted []*leadsv1.SubmitRequest
	answers   outcomes
}

// outcomes is what the lead service answers.
type outcomes struct {
	response string
	replayed bool
	err      error
	// hold, when set, is called before the answer.
	hold func(context.Context)
}

func (s *leads) answer(a outcomes) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = a
}

func (s *leads) Submit(ctx context.Context, r *leadsv1.SubmitRequest) (*leadsv1.SubmitResponse, error) {
	s.mu.Lock()
	hold := s.answers.hold
	s.mu.Unlock()
	if hold != nil {
		hold(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.submitted = append(s.submitted, r)
	return &leadsv1.SubmitResponse{Response: []byte(or(s.answers.response, leadAnswer)), Replayed: s.answers.replayed}, s.answers.err
}

func or(value, otherwise string) string {
	if value != "" {
		return value
	}
	return otherwise
}
