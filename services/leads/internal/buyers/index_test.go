package buyers

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"
	"pgregory.net/rapid"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/leads/internal/domain"
)

// answer is what First says; nil for nothing.
func (r replica) answer(l lead, now time.Time) *domain.Earlier {
	if earlier, found := r.First(l.tenant, l.caller, l.buyer(), now); found {
		return &earlier
	}
	return nil
}

// naive finds what First has to find.
func naive(leads []lead, w *windows, l lead, now time.Time) (best *domain.Earlier) {
	var first lead
	for _, e := range leads {
		if e.tenant != l.tenant || now.Sub(e.received) >= w.Window(l.tenant) || !e.buyer().Same(l.buyer()) {
			continue
		}
		own := e.caller == l.caller
		sooner := e.received.Before(first.received) || e.received.Equal(first.received) && e.id < first.id
		if best == nil || own && !best.SameCaller || own == best.SameCaller && sooner {
			best, first = &domain.Earlier{LeadID: e.id, SameCaller: own}, e
		}
	}
	return best
}

// drawLead makes leads of few people about few things.
func drawLead(t *rapid.T, now time.Time) lead {
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	received := now.Add(-time.Duration(rapid.IntRange(0, 120).Draw(t, "late")) * time.Minute)
	return lead{
		tenant: pick("tenant", "north", "south"), caller: pick("caller", "public|a", "oauth|b"), received: received, id: newID(received),
		request: request(pick("contacts", `"email":"ines@mail.example"}`, `"phone":"+15105550117"}`, `"email":"tom@mail.example"}`,
			`"email":"INES@mail.example","phone":"+15105550117"}`, `"email":"tom@mail.example","phone":"+15105550117"}`) +
			pick("interest", ``, `,"message":"Hi"`, `,"vehicle_of_interest":{"make":"Kia"}`, `,"vehicle_of_interest":{"stock":"S1"}`,
				`,"vehicle_of_interest":{"stock":"S1","vehicle_id":"I1"}`, `,"vehicle_of_interest":{"stock":"s2","vehicle_id":"I1"}`,
				`,"vehicle_of_interest":{"vin":"V1"}`, `,"vehicle_of_interest":{"vin":"V1","stock":"S1"}`)),
		vehicleID: pick("found", "", "", "I1"),
	}
}

// TestFirst_IsThatOfTheLog: whatever is submitted through whichever of two replicas, however time goes, windows change and replicas
// start again, they answer what a search of the whole log answers.
func TestFirst_IsThatOfTheLog(t *testing.T) {
	js := natstest.Start(t).JetStream()
	stored, events := stream(t, js, jetstream.MemoryStorage)
	rapid.Check(t, func(t *rapid.T) {
		if err := stored.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		c := clockAt(time.Now().Add(-10_000 * time.Hour).Truncate(time.Minute)) // never ahead of the broker's
		w := windowsOf("north", 24*time.Hour)
		w.set("south", 2*time.Hour)
		var leads []lead
		var last uint64
		replicas := [2]replica{run(t, events, w, c, quiet), run(t, events, w, c, quiet)}
		defer func() { replicas[0].stop(); replicas[1].stop() }()
		t.Repeat(map[string]func(*rapid.T){
			"submit": func(t *rapid.T) {
				r := replicas[rapid.IntRange(0, 1).Draw(t, "replica")]
				l := drawLead(t, c.now())
				last = publish(t, js, l)
				leads = append(leads, l)
				if rapid.Bool().Draw(t, "noted") {
					r.Note(l.tenant, l.caller, l.buyer(), l.id, l.received)
				}
			},
			"time goes": func(t *rapid.T) {
				c.advance(time.Duration(rapid.IntRange(1, 40).Draw(t, "hours")) * time.Hour)
			},
			"window changes": func(t *rapid.T) {
				w.set(rapid.SampledFrom([]string{"north", "south"}).Draw(t, "whose"),
					time.Duration(rapid.SampledFrom([]int{0, 1, 24, 100, 168}).Draw(t, "hours"))*time.Hour)
			},
			"upkeep": func(t *rapid.T) { suit(t, replicas[rapid.IntRange(0, 1).Draw(t, "replica")]) },
			"restart": func(t *rapid.T) {
				i := rapid.IntRange(0, 1).Draw(t, "replica")
				replicas[i].stop()
				replicas[i] = run(t, events, w, c, quiet)
			},
			"ask": func(t *rapid.T) {
				l := drawLead(t, c.now())
				want := naive(leads, w, l, c.now())
				for i, r := range replicas {
					suit(t, r)
					r.reads(t, last)
					if diff := cmp.Diff(want, r.answer(l, c.now())); diff != "" {
						t.Fatalf("replica %d: %s", i, diff)
					}
				}
			},
		})
	})
}

func suit(t *rapid.T, r replica) {
	t.Helper()
	if err := r.suit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestFirst_InTheTenantsWindowOnly(t *testing.T) {
	js := natstest.Start(t).JetStream()
	_, events := stream(t, js, jetstream.MemoryStorage)
	w, c := windowsOf("north", 24*time.Hour), clockAt(time.Now())
	r := run(t, events, w, c, quiet)
	defer r.stop()
	l := lead{tenant: "north", caller: "oauth|a", id: newID(c.now()), received: c.now(), request: request(`"email":"ines@mail.example"}`)}
	r.Note(l.tenant, l.caller, l.buyer(), l.id, l.received)
	other := l
	other.tenant = "south"
	for name, test := range map[string]struct {
		of     lead
		window time.Duration
		after  time.Duration
		want   bool
	}{
		"at once":                {l, 24 * time.Hour, 0, true},
		"just before the end":    {l, 24 * time.Hour, 24*time.Hour - 1, true},
		"at the end":             {l, 24 * time.Hour, 24 * time.Hour, false},
		"by a clock behind":      {l, 24 * time.Hour, -time.Minute, true},
		"in a longer window":     {l, 48 * time.Hour, 47 * time.Hour, true},
		"window off":             {l, 0, 0, false},
		"window beyond the most": {l, 1000 * time.Hour, 168 * time.Hour, false},
		"another tenant's":       {other, 24 * time.Hour, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w.set("north", test.window)
			w.set("south", test.window)
			if got := r.answer(test.of, c.now().Add(test.after)); (got != nil) != test.want {
				t.Errorf("found %+v, want %v", got, test.want)
			}
		})
	}
}

func TestIndex_ForgetsWhatNoWindowReaches(t *testing.T) {
	js := natstest.Start(t).JetStream()
	_, events := stream(t, js, jetstream.MemoryStorage)
	c := clockAt(time.Now())
	r := run(t, events, windowsOf("north", 24*time.Hour), c, quiet)
	defer r.stop()
	for hour := range 100 {
		l := lead{tenant: "north", id: newID(c.now()), received: c.now(), request: request(fmt.Sprintf(`"email":"%d@mail.example"}`, hour))}
		for range 3 { // the second time and the third are the same lead
			r.Note(l.tenant, "public|a", l.buyer(), l.id, l.received)
		}
		c.advance(time.Hour)
		if err := r.suit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if held := r.held(); held < 24 || held > 30 {
		t.Errorf("%d leads are held, want those of 24 to 30 hours", held)
	}
	r.Note("north", "public|a", domain.Buyer{Email: "a@mail.example"}, newID(c.now()), c.now().Add(-48*time.Hour))
	for n := range r.generations {
		if begin(n + 1).Before(c.now().Add(-24 * time.Hour)) {
			t.Errorf("a generation of %s is there", begin(n))
		}
	}
}

// The events that the tests make have the published shape, so that the ones of the service are read, too.
func TestEvents_HaveThePublishedShape(t *testing.T) {
	v, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	l := lead{tenant: "north", caller: "public|a", id: newID(at), received: at, vehicleID: "I1", request: request(`"email":"ines@mail.example"}`)}
	data, err := contract.DecodeJSON(l.data())
	if err != nil {
		t.Fatal(err)
	}
	if fault := v.Document("event-lead-submitted.schema.json", data); fault != nil {
		t.Errorf("%v: %+v", fault, fault.Problems)
	}
}
