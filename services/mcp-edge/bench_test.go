package mcpedge_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// sink is a response writer that keeps nothing, so that the benchmark counts the edge only.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(int)             {}

func BenchmarkCall(b *testing.B) {
	w := newWorld(b)
	page := &inventoryv1.SearchResponse{Total: 200, NextCursor: "c"}
	for i := range 20 {
		page.Listings = append(page.Listings, []byte(fmt.Sprintf(`{"vehicle_id":"v%d","vin":"4T1DAACK5SU5120%02d","year":2025,"make":"Toyota",`+
			`"model":"Camry","trim":"XSE","condition":"new","status":"available","price":33985,"list_price":33000,"mileage":12,`+
			`"exterior_color":"Ocean Gem","features":["Heated seats","Adaptive cruise control","Panoramic roof"],`+
			`"photos":["https://cdn.example/a.jpg","https://cdn.example/b.jpg"],"description":"%s",`+
			`"updated_at":"2026-04-30T08:42:00Z"}`, i, i, strings.Repeat("One owner, full service history. ", 10))))
	}
	w.inventory.answer(stock{page: page})
	handler := w.edge.Handler()
	for name, body := range map[string]string{
		"search 20": current("tools/call", `"name":"aap_inventory_search"`, `"arguments":{"type":"inventory.search.request",`+
			`"filters":{"price_max":35000,"status":["available"]},"pagination":{"limit":20},"sort":{"field":"price","order":"asc"}}`),
		"vehicle": current("tools/call", `"name":"aap_inventory_vehicle"`, `"arguments":{"type":"inventory.vehicle.request","vehicle_id":"a"}`),
		"dealer":  current("tools/call", `"name":"aap_dealer_information"`, `"arguments":{"type":"dealer.information.request"}`),
		"list":    current("tools/list"),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := httptest.NewRequest(http.MethodPost, "/aap/v3.0/alpha/mcp", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				handler.ServeHTTP(&sink{header: http.Header{}}, r)
			}
		})
	}
}
