package inventory_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"forecourt.internal/platform/event"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// view is all that callers can see of a tenant: every listing and the facets.
func (r *running) view(t testing.TB, tenant string) []string {
	t.Helper()
	var out []string
	req := &inventoryv1.SearchRequest{Tenant: tenant, Limit: 100}
	for {
		resp := r.search(t, req)
		for _, l := range resp.GetListings() {
			out = append(out, string(l))
		}
		if req.Cursor = resp.GetNextCursor(); req.Cursor == "" {
			break
		}
	}
	facets, err := r.Facets(t.Context(), &inventoryv1.FacetsRequest{Tenant: tenant})
	if err != nil {
		t.Fatal(err)
	}
	return append(out, string(facets.GetFacets()))
}

// listed is a valid event of vehicle v of demo-toyota, which a test may spoil.
func listed(id, make string) event.Event {
	return event.Event{
		ID: "e-" + id, Type: "forecourt.inventory.vehicle.listed.v1", Source: "/test", Time: time.Now(),
		Data: fmt.Appendf(nil, `{"tenant":"demo-toyota","vehicle_id":%q,"source":"feed:test","observed_at":"2026-04-30T08:41:00Z",`+
			`"vehicle":{"vehicle_id":%q,"make":%q,"status":"available","updated_at":"2026-04-30T08:42:00Z"}}`, id, id, make),
	}
}

func (r *running) publish(t testing.TB, id string, msg *nats.Msg) {
	t.Helper()
	msg.Subject = "inventory.v1.demo-toyota." + id
	if _, err := r.js.PublishMsg(t.Context(), msg); err != nil {
		t.Fatal(err)
	}
}

func TestProjection_ListingIsCanonicalAndCarriesItsEvidence(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	e := listed("v1", "Kia")
	e.Data = []byte(`{"tenant":"demo-toyota","vehicle_id":"v1","source":"feed:test","observed_at":"2026-04-30T08:41:00+00:00","vehicle":{` +
		`"updated_at":"2026-04-30T08:42:00Z","zeta":[1.50,{"b":1,"a":"<ü>"}],"price":25000.0,"alpha":null,"charge_port":null,` +
		`"status":"available","make":"Kia","vehicle_id":"v1"}}`)
	svc.publish(t, "v1", e.Msg(""))
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 1 })
	want := `{"vehicle_id":"v1","make":"Kia","status":"available","price":25000,"charge_port":null,"updated_at":"2026-04-30T08:42:00Z",` +
		`"evidence":{"event_id":"e-v1","observed_at":"2026-04-30T08:41:00Z","source":"feed:test"},` +
		`"alpha":null,"zeta":[1.50,{"a":"<ü>","b":1}]}`
	if diff := cmp.Diff(want, svc.view(t, "demo-toyota")[0]); diff != "" {
		t.Error(diff)
	}
}

func TestProjection_RebuiltFromTheStreamEqualsTheLiveOne(t *testing.T) {
	t.Parallel()
	b := broker(t)
	live := serve(t, b, nil)
	for round := range 4 {
		var rows []string
		for i := range 30 {
			row := car(i, 20000+(i*round*7)%50)
			if (i+round)%4 == 0 {
				row = strings.Replace(row, "available", "sold", 1)
			}
			rows = append(rows, row)
		}
		load(t, live.js, toyota, "["+strings.Join(rows, ",")+"]")
		load(t, live.js, lexus, providerFeedOf("Main"))
	}
	live.publish(t, "v001", &nats.Msg{Data: []byte("noise")}) // the last message of a listed vehicle is invalid
	live.publish(t, "v777", listed("v777", "Marker").Msg(""))
	eventually(t, func() bool { return strings.Contains(strings.Join(live.view(t, "demo-toyota"), ""), "Marker") })
	want := map[string][]string{"demo-toyota": live.view(t, "demo-toyota"), "demo-lexus": live.view(t, "demo-lexus")}
	if len(want["demo-toyota"]) < 20 || len(want["demo-lexus"]) != 3 {
		t.Fatalf("the live view is too small: %v", want)
	}
	replica := serve(t, b, nil)
	if diff := cmp.Diff(want, map[string][]string{"demo-toyota": replica.view(t, "demo-toyota"), "demo-lexus": replica.view(t, "demo-lexus")}); diff != "" {
		t.Errorf("replica: %s", diff)
	}
	b.Restart()
	restarted := serve(t, b, nil)
	if diff := cmp.Diff(want, map[string][]string{"demo-toyota": restarted.view(t, "demo-toyota"), "demo-lexus": restarted.view(t, "demo-lexus")}); diff != "" {
		t.Errorf("after restart: %s", diff)
	}
	sold := "v000"
	_, wantErr := live.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: "demo-toyota", VehicleId: &sold})
	_, gotErr := restarted.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: "demo-toyota", VehicleId: &sold})
	if diff := cmp.Diff(fmt.Sprint(wantErr), fmt.Sprint(gotErr)); diff != "" {
		t.Error(diff)
	}
}

func TestProjection_SkipsWhatIsNoEvent(t *testing.T) {
	t.Parallel()
	b := broker(t)
	var text lockedBuffer
	live := serve(t, b, func(cfg *inventory.Config) { cfg.Logger = slog.New(slog.NewTextHandler(&text, nil)) })
	live.publish(t, "good", listed("good", "Kia").Msg(""))
	for i, spoil := range []func(*event.Event){
		func(e *event.Event) { e.ID = "" },
		func(e *event.Event) { e.Type = "forecourt.inventory.vehicle.washed.v1" },
		func(e *event.Event) { e.Data = []byte(`{"tenant":"demo-toyota",`) },
		func(e *event.Event) { e.Data = []byte(`[]`) },
		func(e *event.Event) { e.Data = bytes.ReplaceAll(e.Data, []byte("demo-toyota"), []byte("demo-lexus")) },
		func(e *event.Event) { e.Data = bytes.ReplaceAll(e.Data, []byte("bad"), []byte("good")) },
		func(e *event.Event) { e.Data = bytes.ReplaceAll(e.Data, []byte("feed:test"), nil) },
		func(e *event.Event) {
			e.Data = bytes.ReplaceAll(e.Data, []byte("2026-04-30T08:41:00Z"), []byte("today"))
		},
		func(e *event.Event) { e.Data = bytes.ReplaceAll(e.Data, []byte("available"), []byte("secretly-sold")) },
	} {
		id := fmt.Sprintf("bad%d", i)
		e := listed(id, "Kia")
		spoil(&e)
		live.publish(t, id, e.Msg(""))
		e = listed("good", "Kia")
		spoil(&e)
		live.publish(t, "good", e.Msg("")) // the same for a vehicle that is listed
	}
	live.publish(t, "last", listed("last", "Kia").Msg(""))
	eventually(t, func() bool { return live.total(t, "demo-toyota") == 2 })
	want := []string{"good", "last"}
	replica := serve(t, b, nil)
	for name, svc := range map[string]*running{"live": live, "replica": replica} {
		if got := ids(t, svc.search(t, &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 10}).GetListings()); !cmp.Equal(got, want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	if log := text.String(); !strings.Contains(log, "vehicle_id=bad1") || strings.Contains(log, "secretly") || strings.Contains(log, "Kia") {
		t.Errorf("the log must name the vehicle and no value: %s", log)
	}
}

func TestReady_TellsWhatIsMissing(t *testing.T) {
	t.Parallel()
	b := broker(t)
	js := b.JetStream()
	store, err := tenants.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	tenants, err := store.Watch(t.Context(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	service, err := inventory.New(t.Context(), inventory.Config{JetStream: js, Tenants: tenants, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "catching up") {
		t.Errorf("before Run: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- service.Run(ctx) }()
	eventually(t, func() bool { return service.Ready(t.Context()) == nil })
	b.Restart() // this connection does not follow
	eventually(t, func() bool {
		err := service.Ready(t.Context())
		return err != nil && strings.Contains(err.Error(), "lost")
	})
	stop()
	if err := <-ended; err != nil {
		t.Errorf("run without a broker ended with %v", err)
	}
}

// lockedBuffer lets a test read a log while it is written.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
