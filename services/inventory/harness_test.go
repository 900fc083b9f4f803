package inventory_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc/rpctest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

var quiet = slog.New(slog.DiscardHandler)

// toyota is a dealership with two rooftops, lexus one with a single rooftop.
var (
	toyota = &tenant.Document{ID: "demo-toyota", Name: "Demo Toyota", WelcomeMessage: "Hello.", Rooftops: []tenant.Rooftop{
		{Name: "Oakland", Geo: &tenant.Geo{Latitude: 37.8044, Longitude: -122.2712}, Timezone: "America/Los_Angeles"},
		{Name: "San Jose", Geo: &tenant.Geo{Latitude: 37.3382, Longitude: -121.8863}},
	}}
	lexus = &tenant.Document{ID: "demo-lexus", Name: "Demo Lexus", Rooftops: []tenant.Rooftop{
		{Name: "Main", Geo: &tenant.Geo{Latitude: 40.7128, Longitude: -74.0060}},
	}, Feed: tenant.Feed{PriceIncludesFees: true}}
)

// broker is a broker that knows both tenants.
func broker(t testing.TB) *natstest.Broker {
	t.Helper()
	b := natstest.Start(t)
	store, err := tenants.Open(t.Context(), b.JetStream())
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []*tenant.Document{toyota, lexus} {
		if err := store.Put(t.Context(), doc); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// running is a service that has caught up, and a client of it over gRPC.
type running struct {
	inventoryv1.InventoryServiceClient
	js jetstream.JetStream
}

// serve runs a service on a connection of its own until the test ends. change may adjust its configuration.
func serve(t testing.TB, b *natstest.Broker, change func(*inventory.Config)) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	js := b.JetStream()
	store, err := tenants.Open(ctx, js)
	if err != nil {
		t.Fatal(err)
	}
	tenants, err := store.Watch(ctx, quiet)
	if err != nil {
		t.Fatal(err)
	}
	cfg := inventory.Config{JetStream: js, Tenants: tenants, Logger: quiet}
	if change != nil {
		change(&cfg)
	}
	service, err := inventory.New(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
	})
	conn := rpctest.Serve(t, quiet, service.Register)
	eventually(t, func() bool { return service.Ready(ctx) == nil })
	return &running{inventoryv1.NewInventoryServiceClient(conn), js}
}

// eventually polls until a condition holds; the bound only ends a test that fails.
func eventually(t testing.TB, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); <-tick.C {
		if holds() {
			return
		}
	}
	t.Fatal("the condition did not come true")
}

func load(t testing.TB, js jetstream.JetStream, doc *tenant.Document, feed string) inventory.Report {
	t.Helper()
	report, err := inventory.Import(t.Context(), js, inventory.ImportConfig{Tenant: doc, File: "feed", Logger: quiet}, strings.NewReader(feed))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// diffReport compares reports but for what the file was read as.
func diffReport(want, got inventory.Report) string {
	got.Dialect, got.Encoding = "", ""
	return cmp.Diff(want, got)
}

// search returns a page, which must not fail.
func (r *running) search(t testing.TB, req *inventoryv1.SearchRequest) *inventoryv1.SearchResponse {
	t.Helper()
	resp, err := r.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// total counts a tenant's listings.
func (r *running) total(t testing.TB, tenant string) int64 {
	t.Helper()
	return r.search(t, &inventoryv1.SearchRequest{Tenant: tenant, Limit: 1}).GetTotal()
}

// decoded are listings as callers read them.
func decoded(t testing.TB, listings [][]byte) []map[string]any {
	t.Helper()
	out := make([]map[string]any, len(listings))
	for i, l := range listings {
		if err := json.Unmarshal(l, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func ids(t testing.TB, listings [][]byte) []string {
	t.Helper()
	var out []string
	for _, l := range decoded(t, listings) {
		out = append(out, l["vehicle_id"].(string))
	}
	return out
}
