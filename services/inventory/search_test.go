package inventory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// stock is an AAP JSON feed of n vehicles v000, v001, … with a price of 20000 + their number.
func stock(n int) string {
	var rows []string
	for i := range n {
		rows = append(rows, car(i, 20000+i))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func car(i, price int) string {
	return fmt.Sprintf(`{"vehicle_id":"v%03d","stock":"S%03d","make":"Toyota","model":"Camry","status":"available","price":%d}`, i, i, price)
}

// fault is the contract error of a call that must fail with one.
func fault(t testing.TB, err error) *contract.Error {
	t.Helper()
	var f *contract.Error
	if !errors.As(err, &f) {
		t.Fatalf("err = %v, want a contract error", err)
	}
	if len(f.Problems) == 0 {
		t.Errorf("%s has no problem", f.Code)
	}
	for _, p := range f.Problems {
		if p.Error == "" || p.Correction == "" || p.Keyword == "" {
			t.Errorf("problem %+v lacks a text", p)
		}
	}
	return f
}

func TestSearchCursor_SurvivesConcurrentChange(t *testing.T) {
	t.Parallel()
	b := broker(t)
	svc := serve(t, b, nil)
	const n = 60
	load(t, svc.js, toyota, stock(n))
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == n })

	// Vehicles with an even number never change. The odd ones move, go and come between all pages.
	seen := make(map[string]int)
	req := &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 7, Sort: &inventoryv1.Sort{Field: "price", Descending: true}}
	for page := 0; ; page++ {
		resp := svc.search(t, req)
		for _, id := range ids(t, resp.GetListings()) {
			seen[id]++
		}
		if resp.GetNextCursor() == "" {
			break
		}
		req.Cursor = resp.GetNextCursor()
		req.Limit = int32(5 + page%5) // the limit may change between pages
		var rows []string
		for i := 1; i < n; i += 2 {
			switch (i/2 + page) % 3 {
			case 0:
				rows = append(rows, car(i, 20000+(i*37+page*11)%n))
			case 1:
				rows = append(rows, strings.Replace(car(i, 20000), "available", "sold", 1))
			}
		}
		rows = append(rows, car(100+page, 20000+page*9))
		load(t, svc.js, toyota, "["+strings.Join(rows, ",")+"]")
		last := fmt.Sprintf("v%03d", 100+page)
		eventually(t, func() bool {
			_, err := svc.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: "demo-toyota", VehicleId: &last})
			return err == nil
		})
	}
	for i := 0; i < n; i += 2 {
		if id := fmt.Sprintf("v%03d", i); seen[id] != 1 {
			t.Errorf("unchanged vehicle %s was returned %d times", id, seen[id])
		}
	}
}

func TestSearchCursor_FiltersThatDoNotNarrow_AreTheSameSearch(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, toyota, stock(2))
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 2 })
	cursor := svc.search(t, &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 1}).GetNextCursor()
	for name, filters := range map[string]*inventoryv1.Filters{"absent": nil, "empty": {}, "an empty list": {Make: []string{}}} {
		resp, err := svc.Search(t.Context(), &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 1, Cursor: cursor, Filters: filters})
		if err != nil || len(resp.GetListings()) != 1 {
			t.Errorf("%s: %d listings, err %v; want the second page", name, len(resp.GetListings()), err)
		}
	}
}

func TestSearchCursor_RefusedWhenForeignForgedOrOld(t *testing.T) {
	t.Parallel()
	b := broker(t)
	now := time.Now()
	svc := serve(t, b, func(cfg *inventory.Config) { cfg.Now = func() time.Time { return now } })
	load(t, svc.js, toyota, stock(3))
	load(t, svc.js, lexus, stock(3))
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 3 && svc.total(t, "demo-lexus") == 3 })
	base := func() *inventoryv1.SearchRequest {
		return &inventoryv1.SearchRequest{
			Tenant: "demo-toyota", Limit: 1, Filters: &inventoryv1.Filters{Make: []string{"Toyota"}}, Sort: &inventoryv1.Sort{Field: "price"},
		}
	}
	cursor := svc.search(t, base()).GetNextCursor()
	for name, c := range map[string]struct {
		change func(*inventoryv1.SearchRequest)
		want   contract.Code
	}{
		"forged":        {func(r *inventoryv1.SearchRequest) { r.Cursor = "x" + cursor[1:] }, contract.CursorInvalid},
		"cut":           {func(r *inventoryv1.SearchRequest) { r.Cursor = cursor[:len(cursor)-4] }, contract.CursorInvalid},
		"not a cursor":  {func(r *inventoryv1.SearchRequest) { r.Cursor = "eyJ2IjoxfQ.c2ln" }, contract.CursorInvalid},
		"other tenant":  {func(r *inventoryv1.SearchRequest) { r.Tenant = "demo-lexus" }, contract.CursorInvalid},
		"other filters": {func(r *inventoryv1.SearchRequest) { r.Filters.Make = nil }, contract.CursorInvalid},
		"other sort":    {func(r *inventoryv1.SearchRequest) { r.Sort.Descending = true }, contract.CursorInvalid},
		"old":           {func(*inventoryv1.SearchRequest) { now = now.Add(15 * time.Minute) }, contract.CursorExpired},
	} {
		t.Run(name, func(t *testing.T) {
			defer func(at time.Time) { now = at }(now)
			req := base()
			req.Cursor = cursor
			c.change(req)
			_, err := svc.Search(t.Context(), req)
			f := fault(t, err)
			if f.Code != c.want || f.Problems[0].InstanceLocation != "/pagination/cursor" ||
				f.Problems[0].Correction != "Start again without a cursor." {
				t.Errorf("fault = %+v", f)
			}
		})
	}
	again := base()
	again.Cursor, again.Limit = cursor, 2
	resp := svc.search(t, again)
	if diff := cmp.Diff([]string{"v001", "v002"}, ids(t, resp.GetListings())); diff != "" || resp.GetNextCursor() != "" {
		t.Errorf("next page: %s, cursor %q", diff, resp.GetNextCursor())
	}
}

func TestSearchCursor_GoesOnAtAnotherReplicaAndAfterRestart(t *testing.T) {
	t.Parallel()
	b := broker(t)
	first := serve(t, b, nil)
	load(t, first.js, toyota, stock(4))
	eventually(t, func() bool { return first.total(t, "demo-toyota") == 4 })
	req := &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 2}
	req.Cursor = first.search(t, req).GetNextCursor()
	replica := serve(t, b, nil)
	if diff := cmp.Diff([]string{"v002", "v003"}, ids(t, replica.search(t, req).GetListings())); diff != "" {
		t.Error(diff)
	}
	b.Restart()
	restarted := serve(t, b, nil)
	if diff := cmp.Diff([]string{"v002", "v003"}, ids(t, restarted.search(t, req).GetListings())); diff != "" {
		t.Error(diff)
	}
}

func TestSearch_RequestOutOfRangeIsExplained(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	for name, c := range map[string]struct {
		req *inventoryv1.SearchRequest
		at  string
	}{
		"no limit":        {&inventoryv1.SearchRequest{Tenant: "demo-toyota"}, "/pagination/limit"},
		"negative limit":  {&inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: -1}, "/pagination/limit"},
		"limit too large": {&inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 101}, "/pagination/limit"},
		"sort":            {&inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 1, Sort: &inventoryv1.Sort{Field: "vin"}}, "/sort/field"},
	} {
		_, err := svc.Search(t.Context(), c.req)
		if f := fault(t, err); f.Code != contract.SchemaValidationFailed || f.Problems[0].InstanceLocation != c.at {
			t.Errorf("%s: %+v", name, f)
		}
	}
	svc.search(t, &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 100})
}

func TestTenants_NeverSeeEachOther(t *testing.T) {
	t.Parallel()
	b := broker(t)
	svc := serve(t, b, nil)
	load(t, svc.js, toyota, stock(2))
	load(t, svc.js, lexus, `[{"vehicle_id":"only","stock":"L1","make":"Lexus","status":"available"}]`)
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 2 && svc.total(t, "demo-lexus") == 1 })
	if got := ids(t, svc.search(t, &inventoryv1.SearchRequest{Tenant: "demo-lexus", Limit: 10}).GetListings()); !cmp.Equal(got, []string{"only"}) {
		t.Errorf("demo-lexus sees %v", got)
	}
	stockNumber := "L1"
	_, err := svc.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: "demo-toyota", Stock: &stockNumber})
	if f := fault(t, err); f.Code != contract.VehicleNotFound {
		t.Errorf("fault = %+v", f)
	}
	facets, err := svc.Facets(t.Context(), &inventoryv1.FacetsRequest{Tenant: "demo-toyota"})
	if err != nil || strings.Contains(string(facets.GetFacets()), "Lexus") {
		t.Errorf("facets = %s, %v", facets.GetFacets(), err)
	}
}

func TestUnknownTenant_IsNotFound(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	stockNumber := "S1"
	for name, call := range map[string]func() error{
		"search": func() error { _, err := svc.Search(t.Context(), &inventoryv1.SearchRequest{Tenant: "x"}); return err },
		"facets": func() error { _, err := svc.Facets(t.Context(), &inventoryv1.FacetsRequest{Tenant: "x"}); return err },
		"vehicle": func() error {
			_, err := svc.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: "x", Stock: &stockNumber})
			return err
		},
		"dealer": func() error {
			_, err := svc.GetDealer(t.Context(), &inventoryv1.GetDealerRequest{Tenant: "x"})
			return err
		},
	} {
		if err := call(); status.Code(err) != codes.NotFound {
			t.Errorf("%s: %v, want NOT_FOUND", name, err)
		}
	}
}
