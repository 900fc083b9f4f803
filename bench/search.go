package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/bench/internal/scan"
	"forecourt.internal/bench/internal/world"
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// measureSearch measures searches and facets against the size of one tenant's stock, beside a scan of the same vehicles. The
// service's side holds all that a call costs but gRPC: the cursor, and the listings of the page. The scan only finds their ids.
func measureSearch(ctx context.Context, opts options, progress logf) (subject Subject, err error) {
	subject = Subject{Name: "search", Unit: "ns", Peer: "scan", Ratio: "times cheaper than the scan"}
	broker, err := world.StartBroker()
	if err != nil {
		return subject, err
	}
	defer func() { err = errors.Join(err, broker.Stop()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	js, err := broker.Connect(ctx)
	if err != nil {
		return subject, err
	}
	docs := make([]*tenant.Document, len(opts.stocks))
	for i, vehicles := range opts.stocks {
		progress("search: importing %d vehicles", vehicles)
		docs[i] = world.Tenant(fmt.Sprintf("stock-%d-%d", i, vehicles))
		if err := world.Fill(ctx, js, docs[i], vehicles, uint64(vehicles)); err != nil {
			return subject, err
		}
	}
	service, err := world.Serve(ctx, js)
	if err != nil {
		return subject, err
	}
	defer func() { err = errors.Join(err, service.Stop()) }()
	for _, doc := range docs {
		vehicles, err := world.Vehicles(ctx, js, doc.ID)
		if err != nil {
			return subject, err
		}
		progress("search: measuring %d vehicles", len(vehicles))
		figures, err := searchStock(ctx, service, doc, vehicles, opts.rounds)
		if err != nil {
			return subject, err
		}
		subject.Figures = append(subject.Figures, figures...)
	}
	slices.SortStableFunc(subject.Figures, func(a, b Figure) int { return place(a) - place(b) })
	return subject, nil
}

// place is where a figure's shape stands in the table.
func place(f Figure) int {
	return slices.IndexFunc(slices.Concat(searches, facets), func(s shape) bool { return s.name == f.Case })
}

func searchStock(
	ctx context.Context, service *world.Service, doc *tenant.Document, vehicles [][]byte, rounds int,
) ([]Figure, error) {
	stock, err := scan.New(doc, vehicles)
	if err != nil {
		return nil, err
	}
	samples, err := samplesOf(vehicles)
	if err != nil {
		return nil, err
	}
	m := match{service: service, stock: stock, rounds: rounds}
	var figures []Figure
	for _, shape := range searches {
		f, err := m.search(ctx, shape.searchRequests(samples, doc))
		if err != nil {
			return nil, fmt.Errorf("%s, %d vehicles: %w", shape.name, len(vehicles), err)
		}
		f.Case, f.Size = shape.name, len(vehicles)
		figures = append(figures, f)
	}
	for _, shape := range facets {
		f, err := m.facets(ctx, shape.facetsRequests(samples, doc))
		if err != nil {
			return nil, fmt.Errorf("%s, %d vehicles: %w", shape.name, len(vehicles), err)
		}
		f.Case, f.Size = shape.name, len(vehicles)
		figures = append(figures, f)
	}
	return figures, nil
}

// match is the service against a scan of what it serves.
type match struct {
	service *world.Service
	stock   *scan.Stock
	rounds  int
}

func (m match) search(ctx context.Context, requests []*inventoryv1.SearchRequest) (Figure, error) {
	found := make([]int, len(requests))
	for i, req := range requests {
		resp, err := m.service.Search(ctx, req)
		if err != nil {
			return Figure{}, err
		}
		ids, err := vehicleIDs(resp.GetListings())
		if err != nil {
			return Figure{}, err
		}
		total, want := m.stock.Search(req)
		if int(resp.GetTotal()) != total || !slices.Equal(ids, want) {
			return Figure{}, fmt.Errorf("query %d: service and scan disagree: %d found %v, %d found %v", i, resp.GetTotal(), ids, total, want)
		}
		found[i] = total
	}
	ours, theirs, err := duel(m.rounds,
		func(i int) error { _, err := m.service.Search(ctx, requests[i]); return err },
		func(i int) error { m.stock.Search(requests[i]); return nil })
	spread := spreadOf(found, func(n int) float64 { return float64(n) })
	return Figure{Found: &spread, Ours: ours, Theirs: theirs, Ratio: theirs.Median / ours.Median}, err
}

func vehicleIDs(listings [][]byte) ([]string, error) {
	var ids []string
	for _, text := range listings {
		var v struct {
			ID string `json:"vehicle_id"`
		}
		if err := json.Unmarshal(text, &v); err != nil {
			return nil, fmt.Errorf("read listing: %w", err)
		}
		ids = append(ids, v.ID)
	}
	return ids, nil
}

func (m match) facets(ctx context.Context, requests []*inventoryv1.FacetsRequest) (Figure, error) {
	for i, req := range requests {
		resp, err := m.service.Facets(ctx, req)
		if err != nil {
			return Figure{}, err
		}
		got, err := scan.ParseFacets(resp.GetFacets())
		if err != nil {
			return Figure{}, err
		}
		if diff := cmp.Diff(m.stock.Facets(req), got); diff != "" {
			return Figure{}, fmt.Errorf("query %d: service and scan disagree:\n%s", i, diff)
		}
	}
	ours, theirs, err := duel(m.rounds,
		func(i int) error { _, err := m.service.Facets(ctx, requests[i]); return err },
		func(i int) error { m.stock.Facets(requests[i]); return nil })
	return Figure{Ours: ours, Theirs: theirs, Ratio: theirs.Median / ours.Median}, err
}
