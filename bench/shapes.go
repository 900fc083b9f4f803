package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"

	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// variants is how many different queries of one shape are asked in turn, so that none is answered from the memory of the last one.
const variants = 8

// pageLimit is what an agent gets that does not say how much it wants.
const pageLimit = 20

// sample is a vehicle that queries are made from, so that they find something.
type sample struct {
	VIN, Stock, Make, Model, Body string
	Year, Price                   int64
}

// samplesOf takes vehicles from all over the stock.
func samplesOf(vehicles [][]byte) ([]sample, error) {
	samples := make([]sample, variants)
	for i := range samples {
		if err := json.Unmarshal(vehicles[i*len(vehicles)/variants], &samples[i]); err != nil {
			return nil, fmt.Errorf("read vehicle: %w", err)
		}
	}
	return samples, nil
}

// shape is a kind of query.
type shape struct {
	name    string
	filters func(i int, s sample, doc *tenant.Document) *inventoryv1.Filters
	sort    string // "" is by vehicle id
}

// selective narrows to a few in a thousand.
func selective(_ int, s sample, _ *tenant.Document) *inventoryv1.Filters {
	return &inventoryv1.Filters{
		Make: []string{s.Make}, Model: []string{s.Model}, YearMin: proto.Int64(s.Year - 1), YearMax: proto.Int64(s.Year + 1),
	}
}

var searches = []shape{
	{"make, model and years, by price", selective, "price"},
	{"VIN or stock number", func(i int, s sample, _ *tenant.Document) *inventoryv1.Filters {
		if i%2 == 0 {
			return &inventoryv1.Filters{Vin: &s.VIN}
		}
		return &inventoryv1.Filters{Stock: &s.Stock}
	}, ""},
	{"two words of free text", func(i int, s sample, _ *tenant.Document) *inventoryv1.Filters {
		equipment := []string{"heated", "panoramic", "towing", "navigation"}[i%4]
		model, _, _ := strings.Cut(strings.ToLower(s.Model), " ")
		return &inventoryv1.Filters{Query: proto.String(equipment + " " + model)}
	}, ""},
	{"used below a price, by mileage", func(i int, _ sample, _ *tenant.Document) *inventoryv1.Filters {
		return &inventoryv1.Filters{Condition: []string{"used"}, PriceMax: proto.Int64(25_000 + 1_000*int64(i))}
	}, "mileage"},
	{"near a place, one body", func(i int, s sample, doc *tenant.Document) *inventoryv1.Filters {
		at := doc.Rooftops[i%len(doc.Rooftops)].Geo
		return &inventoryv1.Filters{
			Body: []string{s.Body}, Geo: &inventoryv1.Geo{Latitude: at.Latitude + 0.1, Longitude: at.Longitude, RadiusMi: 25},
		}
	}, ""},
}

var facets = []shape{
	{name: "facets of make, model and years", filters: selective},
	{name: "facets of everything", filters: func(int, sample, *tenant.Document) *inventoryv1.Filters { return nil }},
}

func (s shape) searchRequests(samples []sample, doc *tenant.Document) []*inventoryv1.SearchRequest {
	requests := make([]*inventoryv1.SearchRequest, len(samples))
	for i, from := range samples {
		requests[i] = &inventoryv1.SearchRequest{Tenant: doc.ID, Filters: s.filters(i, from, doc), Limit: pageLimit}
		if s.sort != "" {
			requests[i].Sort = &inventoryv1.Sort{Field: s.sort}
		}
	}
	return requests
}

func (s shape) facetsRequests(samples []sample, doc *tenant.Document) []*inventoryv1.FacetsRequest {
	requests := make([]*inventoryv1.FacetsRequest, len(samples))
	for i, from := range samples {
		requests[i] = &inventoryv1.FacetsRequest{Tenant: doc.ID, Filters: s.filters(i, from, doc)}
	}
	return requests
}
