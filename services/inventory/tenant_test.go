package inventory_test

import (
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

func TestTenant_ChangesAreFollowed(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	store, err := tenants.Open(t.Context(), svc.js)
	if err != nil {
		t.Fatal(err)
	}
	load(t, svc.js, lexus, stock(2))
	eventually(t, func() bool { return svc.total(t, "demo-lexus") == 2 })
	inNewYork := &inventoryv1.SearchRequest{Tenant: "demo-lexus", Limit: 1, Filters: &inventoryv1.Filters{
		Geo: &inventoryv1.Geo{Latitude: 40.7, Longitude: -74, RadiusMi: 10},
	}}
	if got := svc.search(t, inNewYork).GetTotal(); got != 2 {
		t.Errorf("%d vehicles at the rooftop, want 2", got)
	}
	change := func(edit func(*tenant.Document)) {
		t.Helper()
		changed := *lexus
		edit(&changed)
		if err := store.Put(t.Context(), &changed); err != nil {
			t.Fatal(err)
		}
	}

	change(func(d *tenant.Document) {
		d.Rooftops = []tenant.Rooftop{{Name: "Main", Geo: &tenant.Geo{Latitude: 34.05, Longitude: -118.24}}}
	})
	eventually(t, func() bool { return svc.search(t, inNewYork).GetTotal() == 0 })

	change(func(d *tenant.Document) { d.DisabledFilters = []string{"geo"} })
	for name, call := range map[string]func() error{
		"search": func() error { _, err := svc.Search(t.Context(), inNewYork); return err },
		"facets": func() error {
			_, err := svc.Facets(t.Context(), &inventoryv1.FacetsRequest{Tenant: "demo-lexus", Filters: inNewYork.GetFilters()})
			return err
		},
	} {
		eventually(t, func() bool { return call() != nil })
		f := fault(t, call())
		if f.Code != contract.UnsupportedFilter || len(f.Problems) != 1 || f.Problems[0].InstanceLocation != "/filters/geo" {
			t.Errorf("%s: %+v", name, f)
		}
	}

	if err := store.Delete(t.Context(), "demo-lexus"); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool {
		_, err := svc.GetDealer(t.Context(), &inventoryv1.GetDealerRequest{Tenant: "demo-lexus"})
		return status.Code(err) == codes.NotFound
	})
	change(func(*tenant.Document) {})
	eventually(t, func() bool {
		found, err := svc.Search(t.Context(), inNewYork)
		return err == nil && found.GetTotal() == 2
	})
}
