package world

import (
	"bufio"
	"bytes"
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

// Fill stores a tenant and imports a generated feed that puts that many vehicles on sale.
func Fill(ctx context.Context, js jetstream.JetStream, doc *tenant.Document, vehicles int, seed uint64) error {
	store, err := tenants.Open(ctx, js)
	if err != nil {
		return err
	}
	if err := store.Put(ctx, doc); err != nil {
		return err
	}
	feed, w := io.Pipe()
	defer feed.Close()
	go func() { w.CloseWithError(writeFeed(w, doc, vehicles, seed)) }()
	report, err := inventory.Import(ctx, js, inventory.ImportConfig{
		Tenant: doc, File: doc.ID + ".csv", Logger: slog.New(slog.DiscardHandler),
	}, feed)
	if err != nil {
		return err
	}
	if report.Listed != vehicles {
		return fmt.Errorf("import for %s: %d of %d vehicles were listed; problems: %+v",
			doc.ID, report.Listed, vehicles, report.Problems[:min(1, len(report.Problems))])
	}
	return nil
}

// writeFeed generates vehicles and leaves out those that are sold, until there are enough.
func writeFeed(w io.Writer, doc *tenant.Document, vehicles int, seed uint64) error {
	cfg := inventory.GenerateConfig{Count: inventory.MaxGenerated, Seed: seed}
	for _, r := range doc.Rooftops {
		cfg.Rooftops = append(cfg.Rooftops, r.Name)
	}
	all, generator := io.Pipe()
	defer all.Close() // ends the generator
	go func() { generator.CloseWithError(inventory.Generate(generator, cfg)) }()
	rows := bufio.NewReader(all)
	for written := -1; written < vehicles; { // the header comes first and is no vehicle
		row, err := rows.ReadSlice('\n')
		if err != nil {
			return fmt.Errorf("read generated feed: %w", err)
		}
		if bytes.Contains(row, []byte(",Sold,")) {
			continue
		}
		if _, err := w.Write(row); err != nil {
			return fmt.Errorf("write feed: %w", err)
		}
		written++
	}
	return nil
}
