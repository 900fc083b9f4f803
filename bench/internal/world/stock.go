package world

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

// Tenant is a dealership group with a rooftop in each of eight cities. Its feed states prices with all charges.
func Tenant(id string) *tenant.Document {
	return &tenant.Document{ID: id, Name: "Bench " + id, Feed: tenant.Feed{PriceIncludesFees: true}, Rooftops: []tenant.Rooftop{
		{Name: "Oakland", Geo: &tenant.Geo{Latitude: 37.8044, Longitude: -122.2712}},
		{Name: "San Jose", Geo: &tenant.Geo{Latitude: 37.3382, Longitude: -121.8863}},
		{Name: "Sacramento", Geo: &tenant.Geo{Latitude: 38.5816, Longitude: -121.4944}},
		{Name: "Fresno", Geo: &tenant.Geo{Latitude: 36.7378, Longitude: -119.7871}},
		{Name: "Los Angeles", Geo: &tenant.Geo{Latitude: 34.0522, Longitude: -118.2437}},
		{Name: "Anaheim", Geo: &tenant.Geo{Latitude: 33.8366, Longitude: -117.9143}},
		{Name: "San Diego", Geo: &tenant.Geo{Latitude: 32.7157, Longitude: -117.1611}},
		{Name: "Reno", Geo: &tenant.Geo{Latitude: 39.5296, Longitude: -119.8138}},
	}}
}

// Fill stores a tenant and imports a generated feed of that many rows. It returns how many vehicles are on sale then: those that
// the feed calls sold are not.
func Fill(ctx context.Context, js jetstream.JetStream, doc *tenant.Document, rows int, seed uint64) (int, error) {
	store, err := tenants.Open(ctx, js)
	if err != nil {
		return 0, err
	}
	if err := store.Put(ctx, doc); err != nil {
		return 0, err
	}
	cfg := inventory.GenerateConfig{Count: rows, Seed: seed}
	for _, r := range doc.Rooftops {
		cfg.Rooftops = append(cfg.Rooftops, r.Name)
	}
	feed, w := io.Pipe()
	go func() { w.CloseWithError(inventory.Generate(w, cfg)) }()
	defer feed.Close()
	report, err := inventory.Import(ctx, js, inventory.ImportConfig{
		Tenant: doc, File: doc.ID + ".csv", Logger: slog.New(slog.DiscardHandler),
	}, feed)
	if err != nil {
		return 0, err
	}
	if len(report.Problems) > 0 {
		return 0, fmt.Errorf("import for %s: %d problems, the first: %+v", doc.ID, len(report.Problems), report.Problems[0])
	}
	return report.Listed, nil
}
