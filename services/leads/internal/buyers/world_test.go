package buyers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
)

var quiet = slog.New(slog.DiscardHandler)

// clock is a time that stands still until a test moves it.
type clock struct{ nanos atomic.Int64 }

func clockAt(t time.Time) *clock {
	c := new(clock)
	c.nanos.Store(t.UnixNano())
	return c
}

func (c *clock) now() time.Time           { return time.Unix(0, c.nanos.Load()) }
func (c *clock) advance(by time.Duration) { c.nanos.Add(int64(by)) }

// windows are those of the tenants that a test has set one for.
type windows struct {
	mu sync.Mutex
	of map[string]time.Duration
}

func windowsOf(tenant string, window time.Duration) *windows {
	return &windows{of: map[string]time.Duration{tenant: window}}
}

func (w *windows) set(tenant string, window time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.of[tenant] = window
}

func (w *windows) Window(tenant string) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.of[tenant]
}

func (w *windows) Longest() (longest time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, window := range w.of {
		longest = max(longest, window)
	}
	return longest
}

// lead is one as a test makes it.
type lead struct {
	tenant, caller string
	id             domain.LeadID
	received       time.Time
	request        string
	vehicleID      string
}

var made atomic.Uint64

// request makes one of the members that make the buyer.
func request(members string) string {
	return `{"type":"lead.submit.request","customer":{"first_name":"Ines","last_name":"Okafor",` + members +
		`,"consent":{"granted_at":"2026-04-30T11:05:00Z","allowed_channels":["email"],"consent_text":"Yes.","scope":["lead_submission"]},` +
		`"source_agent":{"name":"a"},"idempotency_key":"k"}`
}

// newID is of the time, and no other's.
func newID(at time.Time) domain.LeadID {
	var id ulid.ULID
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		panic(err)
	}
	if err := id.SetEntropy(fmt.Appendf(nil, "%010d", made.Add(1))); err != nil {
		panic(err)
	}
	return domain.LeadIDOf(id.String())
}

func (l lead) buyer() domain.Buyer {
	b, err := domain.BuyerOf([]byte(l.request), l.vehicleID)
	if err != nil {
		panic(err)
	}
	return b
}

func (l lead) data() []byte {
	type data struct {
		LeadID      domain.LeadID   `json:"lead_id"`
		Tenant      string          `json:"tenant"`
		Caller      string          `json:"caller"`
		Fingerprint string          `json:"fingerprint"`
		ReceivedAt  time.Time       `json:"received_at"`
		VehicleID   string          `json:"vehicle_id,omitempty"`
		Request     json.RawMessage `json:"request"`
		Response    json.RawMessage `json:"response"`
	}
	b, err := json.Marshal(data{
		LeadID: l.id, Tenant: l.tenant, Caller: l.caller, Fingerprint: fmt.Sprintf("%064x", 1), ReceivedAt: l.received.UTC(),
		VehicleID: l.vehicleID, Request: json.RawMessage(l.request),
		Response: fmt.Appendf(nil, `{"type":"lead.submit.response","data":{"lead_id":%q,"status":"received"}}`, l.id),
	})
	if err != nil {
		panic(err)
	}
	return b
}

// stream creates the stream that the leads are in. Nothing here needs them synced to disk, so most tests have it in memory.
func stream(t testing.TB, js jetstream.JetStream, storage jetstream.StorageType) (jetstream.Stream, *eventlog.Log) {
	t.Helper()
	s, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: eventlog.Stream, Subjects: []string{"lead.v1.*.*"}, Storage: storage,
	})
	if err != nil {
		t.Fatal(err)
	}
	events, err := eventlog.Existing(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	return s, events
}

// tester is a test, a benchmark or a round of a property.
type tester interface {
	Helper()
	Context() context.Context
	Fatal(...any)
	Fatalf(string, ...any)
}

// publish returns the sequence of the lead's event.
func publish(t tester, js jetstream.JetStream, l lead) uint64 {
	t.Helper()
	return put(t, js, "lead.v1."+l.tenant+".submitted", l.data())
}

func put(t tester, js jetstream.JetStream, subject string, data []byte) uint64 {
	t.Helper()
	ack, err := js.PublishMsg(t.Context(), message(subject, data))
	if err != nil {
		t.Fatal(err)
	}
	return ack.Sequence
}

func message(subject string, data []byte) *nats.Msg {
	return event.Event{
		ID: fmt.Sprint(made.Add(1)), Type: "forecourt.lead.submitted.v1", Source: "/forecourt/leads", Time: time.Now(),
		DataSchema: contract.SchemaBaseURL + "event-lead-submitted.schema.json", Data: data,
	}.Msg(subject)
}

// replica is an index that runs, without an upkeep of its own.
type replica struct {
	*Index
	stop func()
}

func run(t tester, events *eventlog.Log, w Windows, c *clock, log *slog.Logger) replica {
	t.Helper()
	x := New(events, w, log)
	x.now, x.every = c.now, time.Hour
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- x.Run(ctx) }()
	r := replica{x, func() {
		stop()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}}
	r.eventually(t, "ready", func() bool { return x.Ready(ctx) == nil })
	return r
}

// eventually polls. The bound only ends a test that fails.
func (r replica) eventually(t tester, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); <-time.After(100 * time.Microsecond) {
		if time.Now().After(end) {
			t.Fatalf("the index never came to: %s", what)
		}
	}
}

// reads waits until the replica has read a sequence.
func (r replica) reads(t tester, sequence uint64) {
	t.Helper()
	r.eventually(t, fmt.Sprintf("sequence %d", sequence), func() bool { return r.last.Load() >= sequence })
}
