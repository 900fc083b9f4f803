package inventory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// story makes a random history of two dealerships: feeds with new, changed, unchanged, sold and missing vehicles, and messages that are
// no events.
type story struct {
	t   *testing.T
	rng *rand.Rand
	js  jetstream.JetStream
	now time.Time
	// cars are what each dealership's feed last said, by place; "" is not in the feed.
	cars map[string][]string
}

var makes = []string{"Kia", "kia", "Toyota", "Škoda"}

func (s *story) car(i int) string {
	status := "available"
	if s.rng.IntN(6) == 0 {
		status = "sold"
	}
	return fmt.Sprintf(`{"vehicle_id":"v%02d","stock":"S%d","make":%q,"year":%d,"price":%d,"status":%q,"features":["heated seats"],"rooftop":"Main"}`,
		i, s.rng.IntN(40), makes[s.rng.IntN(len(makes))], 2018+s.rng.IntN(4), 10000+s.rng.IntN(5)*1000, status)
}

// next changes a few cars of one dealership and imports its feed, or spoils the stream.
func (s *story) next(doc *tenant.Document) {
	cars := s.cars[doc.ID]
	for range s.rng.IntN(6) {
		i := s.rng.IntN(len(cars))
		if cars[i] = s.car(i); s.rng.IntN(5) == 0 {
			cars[i] = ""
		}
	}
	s.now = s.now.Add(time.Duration(1+s.rng.IntN(9000)) * time.Second)
	switch s.rng.IntN(8) {
	case 0:
		s.noise(doc.ID, fmt.Sprintf("v%02d", s.rng.IntN(len(cars))))
	case 1:
		s.noise(doc.ID, "~confirmed")
	}
	var feed []string
	for _, car := range cars {
		if car != "" {
			feed = append(feed, car)
		}
	}
	at := s.now
	_, err := inventory.Import(s.t.Context(), s.js, inventory.ImportConfig{
		Tenant: doc, File: "feed", Logger: quiet, Replace: s.rng.IntN(2) == 0, AllowEmpty: true, Now: func() time.Time { return at },
	}, strings.NewReader("["+strings.Join(feed, ",")+"]"))
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) noise(tenant, token string) {
	if _, err := s.js.PublishMsg(s.t.Context(), &nats.Msg{Subject: "inventory.v1." + tenant + "." + token, Data: []byte("noise")}); err != nil {
		s.t.Fatal(err)
	}
}

// end publishes a vehicle that shows when a replica has read all of a dealership's events.
func (s *story) end(tenant string) {
	msg := listed("marker", "Marker").Msg("inventory.v1." + tenant + ".marker")
	msg.Data = []byte(strings.ReplaceAll(string(msg.Data), "demo-toyota", tenant))
	if _, err := s.js.PublishMsg(s.t.Context(), msg); err != nil {
		s.t.Fatal(err)
	}
}

// answers are what a replica says to searches, facets and look-ups, to the byte.
func (r *running) answers(t *testing.T) map[string][]string {
	out := make(map[string][]string)
	for _, tenant := range []string{"demo-toyota", "demo-lexus"} {
		out[tenant] = r.view(t, tenant)
		for name, req := range map[string]*inventoryv1.SearchRequest{
			"by time":  {Sort: &inventoryv1.Sort{Field: "updated_at", Descending: true}},
			"filtered": {Filters: &inventoryv1.Filters{Make: []string{"KIA"}, PriceMax: new(int64(12000))}, Sort: &inventoryv1.Sort{Field: "price"}},
			"in words": {Filters: &inventoryv1.Filters{Query: new("škoda heated")}},
		} {
			req.Tenant, req.Limit = tenant, 100
			resp := r.search(t, req)
			found := []string{fmt.Sprint(resp.GetTotal())}
			for _, l := range resp.GetListings() {
				found = append(found, string(l))
			}
			out[tenant+" "+name] = found
		}
		for i := range 20 {
			id := fmt.Sprintf("v%02d", i)
			resp, err := r.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: tenant, VehicleId: &id})
			out[tenant+" one by one"] = append(out[tenant+" one by one"], fmt.Sprint(string(resp.GetListing()), err))
		}
	}
	return out
}

func TestReplicas_GiveTheSameAnswersWheneverTheyStarted(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("history ", seed), func(t *testing.T) {
			t.Parallel()
			b := broker(t)
			s := &story{t: t, rng: rand.New(rand.NewPCG(seed, 7)), js: b.JetStream(), now: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC),
				cars: map[string][]string{"demo-toyota": make([]string, 20), "demo-lexus": make([]string, 20)}}
			lone := &tenant.Document{ID: "demo-toyota", Name: "Demo Toyota", Rooftops: []tenant.Rooftop{{Name: "Main"}}}
			live := serve(t, b, nil)
			var late *running
			for step := range 24 {
				s.next([]*tenant.Document{lone, lexus}[s.rng.IntN(2)])
				if step == 12 {
					late = serve(t, b, nil)
				}
			}
			s.end("demo-toyota")
			s.end("demo-lexus")
			for _, r := range []*running{live, late} {
				eventually(t, func() bool { return r.isThrough(t) })
			}
			want := live.answers(t)
			if n := len(want["demo-toyota"]); n < 5 {
				t.Fatalf("the history leaves %d lines", n)
			}
			if diff := cmp.Diff(want, late.answers(t)); diff != "" {
				t.Errorf("started later (-live +late)\n%s", diff)
			}
			b.Restart()
			if diff := cmp.Diff(want, serve(t, b, nil).answers(t)); diff != "" {
				t.Errorf("started after the broker (-live +restarted)\n%s", diff)
			}
		})
	}
}

// isThrough says whether both dealerships' last events have been read.
func (r *running) isThrough(t *testing.T) bool {
	id := "marker"
	for _, tenant := range []string{"demo-toyota", "demo-lexus"} {
		if _, err := r.GetVehicle(t.Context(), &inventoryv1.GetVehicleRequest{Tenant: tenant, VehicleId: &id}); err != nil {
			return false
		}
	}
	return true
}
