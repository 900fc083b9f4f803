package buyers

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
)

// of is a lead of Ines's at a time, for a car.
func of(c *clock, caller, stock string) lead {
	return lead{
		tenant: "north", caller: caller, id: newID(c.now()), received: c.now(),
		request: request(`"email":"ines@mail.example"},"vehicle_of_interest":{"stock":"` + stock + `"}`),
	}
}

// knows waits until the replica finds the lead for its own caller.
func (r replica) knows(t tester, l lead) {
	t.Helper()
	r.eventually(t, "the lead of "+l.caller, func() bool {
		earlier, found := r.First(l.tenant, l.caller, l.buyer(), l.received)
		return found && earlier == domain.Earlier{LeadID: l.id, SameCaller: true}
	})
}

func TestRun_ReplicasSeeEachOthersLeads(t *testing.T) {
	js := natstest.Start(t).JetStream()
	_, events := stream(t, js, jetstream.MemoryStorage)
	c := clockAt(time.Now())
	w := windowsOf("north", 24*time.Hour)
	before := of(c, "oauth|before", "S1")
	publish(t, js, before)
	a, b := run(t, events, w, c, quiet), run(t, events, w, c, quiet)
	defer a.stop()
	defer b.stop()
	for _, r := range []replica{a, b} {
		if earlier, found := r.First("north", before.caller, before.buyer(), c.now()); !found || earlier.LeadID != before.id {
			t.Errorf("what was there at the start is not known when ready: %+v", earlier)
		}
	}
	through := map[string]replica{"oauth|a": a, "oauth|b": b}
	for caller, r := range through {
		l := of(c, caller, "S2")
		publish(t, js, l)
		r.Note(l.tenant, l.caller, l.buyer(), l.id, l.received)
		if earlier, found := r.First("north", caller, l.buyer(), c.now()); !found || earlier.LeadID != l.id {
			t.Errorf("its own lead is not known at once: %+v", earlier)
		}
		for _, other := range through {
			other.knows(t, l)
		}
	}
}

func TestRun_ReadsWhatTheLongestWindowReaches(t *testing.T) {
	js := natstest.Start(t).JetStream()
	_, events := stream(t, js, jetstream.MemoryStorage)
	c := clockAt(time.Now())
	old := of(c, "oauth|a", "S1")
	publish(t, js, old)
	c.advance(30 * time.Hour)
	w := windowsOf("north", 24*time.Hour)
	r := run(t, events, w, c, quiet)
	defer r.stop()
	if r.backlog.Load() != 0 {
		t.Errorf("%d leads are read that no window reaches", r.backlog.Load())
	}
	w.set("another", 48*time.Hour)
	if err := r.suit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, found := r.First("north", old.caller, old.buyer(), c.now()); found {
		t.Error("a lead beyond the tenant's own window was found")
	}
	w.set("north", 31*time.Hour)
	if _, found := r.First("north", old.caller, old.buyer(), c.now()); !found {
		t.Error("a lead that a longer window reaches was not found")
	}
}

// TestReady_WhatWasToBeReadIsDeleted: the stream is purged between the count of what there is and its reading.
func TestReady_WhatWasToBeReadIsDeleted(t *testing.T) {
	js := natstest.Start(t).JetStream()
	stored, events := stream(t, js, jetstream.MemoryStorage)
	c := clockAt(time.Now())
	publish(t, js, of(c, "oauth|a", "S1"))
	x := New(events, windowsOf("north", time.Hour), quiet)
	x.now, x.every = c.now, time.Millisecond
	leads, err := events.Since(t.Context(), c.now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	x.backlog.Store(leads.Backlog)
	x.started.Store(true)
	if err := x.Ready(t.Context()); err == nil || err.Error() != "buyers: 0 of 1 leads are read" {
		t.Errorf("ready: %v", err)
	}
	if err := stored.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { x.upkeep(ctx, leads) })
	replica{x, stop}.eventually(t, "ready", func() bool { return x.Ready(ctx) == nil })
	stop()
	upkeep.Wait()
}

func TestRun_BrokerStoppedAndStartedAgain(t *testing.T) {
	dir := t.TempDir()
	start := func(address string) *natsd.Server {
		broker, err := natsd.Start(natsd.Config{Listen: address, Dir: dir, Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		return broker
	}
	broker := start("127.0.0.1:0")
	defer func() { broker.Shutdown() }()
	nc, err := nats.Connect(broker.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(5*time.Millisecond), nats.ReconnectJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	_, events := stream(t, js, jetstream.FileStorage)
	c := clockAt(time.Now())
	r := run(t, events, windowsOf("north", 24*time.Hour), c, quiet)
	first, second := of(c, "oauth|a", "S1"), of(c, "oauth|b", "S1")
	publish(t, js, first)
	r.knows(t, first)
	address, err := url.Parse(broker.URL())
	if err != nil {
		t.Fatal(err)
	}
	broker.Shutdown()
	r.eventually(t, "disconnected", func() bool { return !nc.IsConnected() })
	if _, found := r.First("north", first.caller, first.buyer(), c.now()); !found {
		t.Error("without the broker nothing is known")
	}
	broker = start(address.Host)
	r.eventually(t, "connected", nc.IsConnected)
	publish(t, js, second)
	r.knows(t, first)
	r.knows(t, second)
	r.stop()
	if err := r.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRun_ConnectionClosed_Ends(t *testing.T) {
	broker := natstest.Start(t)
	nc := broker.Conn()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	_, events := stream(t, js, jetstream.MemoryStorage)
	x := New(events, windowsOf("north", time.Hour), quiet)
	ended := make(chan error, 1)
	go func() { ended <- x.Run(t.Context()) }()
	replica{x, nil}.eventually(t, "ready", func() bool { return x.Ready(t.Context()) == nil })
	nc.Close()
	if err := <-ended; err == nil {
		t.Error("run ended without an error")
	}
}

// What was read of a stream is not true of another by its name, and the place to go on from is none there.
func TestRun_StreamReplaced_Ends(t *testing.T) {
	js := natstest.Start(t).JetStream()
	stored, events := stream(t, js, jetstream.FileStorage)
	cfg := stored.CachedInfo().Config
	x := New(events, windowsOf("north", 24*time.Hour), quiet)
	x.every = time.Millisecond
	ended := make(chan error, 1)
	go func() { ended <- x.Run(t.Context()) }()
	replica{x, nil}.eventually(t, "ready", func() bool { return x.Ready(t.Context()) == nil })
	if err := js.DeleteStream(t.Context(), cfg.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, eventlog.ErrReplaced) {
		t.Errorf("err = %v, want that the stream is another", err)
	}
}

// TestRun_PassesOverWhatIsNoLead_AndLogsNoValue: anyone who may publish can put messages among the leads.
func TestRun_PassesOverWhatIsNoLead_AndLogsNoValue(t *testing.T) {
	js := natstest.Start(t).JetStream()
	_, events := stream(t, js, jetstream.MemoryStorage)
	c := clockAt(time.Now())
	good := of(c, "oauth|ines@mail.example", "S1")
	foreign := good
	foreign.tenant = "south"
	bad := []string{
		``, `ines@mail.example`, `[]`, `"ines@mail.example"`, `{"lead_id":"ines@mail.example"}`, `{}`,
		strings.Replace(string(good.data()), string(good.id), "lead_ines@mail.example", 1),
		strings.Replace(string(good.data()), `"request":{`, `"request":["ines@mail.example",{`, 1),
		strings.Replace(string(good.data()), good.request, `"ines@mail.example"`, 1),
		strings.Replace(string(good.data()), good.request, `{"customer":1,"customer":{"email":"ines@mail.example"}}`, 1),
		strings.Replace(string(good.data()), `"received_at":"`, `"received_at":"ines@mail.example`, 1),
		string(foreign.data()), // in the place of another tenant
	}
	for _, data := range bad {
		put(t, js, "lead.v1.north.submitted", []byte(data))
	}
	publish(t, js, good)
	put(t, js, "lead.v1.north.repeated", good.data()) // counts for nothing
	var text bytes.Buffer
	r := run(t, events, windowsOf("north", 24*time.Hour), c, slog.New(slog.NewJSONHandler(&text, nil)))
	r.knows(t, good)
	r.stop()
	if lines := strings.Count(text.String(), "passed over"); lines != len(bad) {
		t.Errorf("%d messages were passed over, want %d", lines, len(bad))
	}
	if strings.Contains(strings.ToLower(text.String()), "ines") {
		t.Errorf("a value is in the log:\n%s", text.String())
	}
	if r.read.Load() != uint64(len(bad))+1 {
		t.Errorf("%d messages were read, want the submitted ones only", r.read.Load())
	}
}

func TestDocuments_TellTheWindowsOfTheTenants(t *testing.T) {
	js := natstest.Start(t).JetStream()
	store, err := tenants.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	directory, err := store.Watch(t.Context(), quiet)
	if err != nil {
		t.Fatal(err)
	}
	d := Documents{directory}
	if d.Window("north") != 0 || d.Longest() != 0 {
		t.Errorf("without documents: %s, %s", d.Window("north"), d.Longest())
	}
	for id, hours := range map[string]*int{"north": nil, "south": new(100), "west": new(0)} {
		if err := store.Put(t.Context(), &tenant.Document{ID: id, Leads: tenant.Leads{DuplicateWindowHours: hours}}); err != nil {
			t.Fatal(err)
		}
		replica{}.eventually(t, id, func() bool { _, ok := directory.Get(id); return ok })
	}
	got := [...]time.Duration{d.Window("north"), d.Window("south"), d.Window("west"), d.Window("east"), d.Longest()}
	if want := [...]time.Duration{24 * time.Hour, 100 * time.Hour, 0, 0, 100 * time.Hour}; got != want {
		t.Errorf("windows = %v, want %v", got, want)
	}
}
