package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/platform/natsd"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
)

var quiet = slog.New(slog.DiscardHandler)

// clock is a time that stands still until a test moves it.
type clock struct{ nanos atomic.Int64 }

func (c *clock) now() time.Time           { return time.Unix(0, c.nanos.Load()) }
func (c *clock) advance(by time.Duration) { c.nanos.Add(int64(by)) }

// running is a projection that runs on a broker which a test can stop, over a connection that comes back.
type running struct {
	*Projection
	clock  *clock
	js     jetstream.JetStream
	broker *natsd.Server
	dir    string
	ended  chan error
}

func run(t *testing.T) *running {
	t.Helper()
	r := &running{dir: t.TempDir(), clock: new(clock), ended: make(chan error, 1)}
	r.startBroker(t, "127.0.0.1:0")
	t.Cleanup(func() { r.broker.Shutdown() })
	nc, err := nats.Connect(r.broker.URL(), nats.MaxReconnects(-1), nats.ReconnectWait(5*time.Millisecond), nats.ReconnectJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	if r.js, err = jetstream.New(nc); err != nil {
		t.Fatal(err)
	}
	events, err := eventlog.Open(t.Context(), r.js)
	if err != nil {
		t.Fatal(err)
	}
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	r.Projection = New(events, new(index.Index), check, quiet)
	r.now, r.every = r.clock.now, time.Millisecond
	ctx, stop := context.WithCancel(t.Context())
	go func() { r.ended <- r.Run(ctx); close(r.ended) }()
	t.Cleanup(func() {
		stop()
		<-r.ended
	})
	r.eventually(t, "")
	return r
}

func (r *running) startBroker(t *testing.T, address string) {
	t.Helper()
	broker, err := natsd.Start(natsd.Config{Listen: address, Dir: r.dir, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	r.broker = broker
}

// eventually polls until readiness says a text; "" is ready. The bound only ends a test that fails.
func (r *running) eventually(t *testing.T, want string) {
	t.Helper()
	var got string
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-time.After(2 * time.Millisecond) {
		got = ""
		if err := r.Ready(t.Context()); err != nil {
			got = err.Error()
		}
		if got == want || want != "" && strings.Contains(got, want) {
			return
		}
	}
	t.Fatalf("readiness says %q, want %q", got, want)
}

func (r *running) publish(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		msg := event.Event{
			ID: "e-" + id, Type: "forecourt.inventory.vehicle.listed.v1", Source: "/test", Time: time.Unix(0, 0),
			Data: fmt.Appendf(nil, `{"vehicle_id":%[1]q,"observed_at":"2026-04-30T08:41:00Z","source":"feed:test","tenant":"demo-toyota",`+
				`"vehicle":{"vehicle_id":%[1]q,"status":"available","updated_at":"2026-04-30T08:42:00Z"}}`, id),
		}.Msg("inventory.v1.demo-toyota." + id)
		if _, err := r.js.PublishMsg(t.Context(), msg); err != nil {
			t.Fatal(err)
		}
	}
}

// knows waits until the index has the vehicles.
func (r *running) knows(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		for end := time.Now().Add(30 * time.Second); !r.index.Knows("demo-toyota", id); <-time.After(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s does not arrive", id)
			}
		}
	}
}

func TestReady_BrokerStoppedAndStartedAgain(t *testing.T) {
	t.Parallel()
	r := run(t)
	r.publish(t, "a")
	r.knows(t, "a")
	address, err := url.Parse(r.broker.URL())
	if err != nil {
		t.Fatal(err)
	}
	r.broker.Shutdown()
	r.clock.advance(7 * time.Second)
	r.eventually(t, "the connection to the broker is lost; it last answered 7s ago")
	r.startBroker(t, address.Host)
	r.eventually(t, "")
	r.publish(t, "b", "c")
	r.knows(t, "a", "b", "c") // nothing is lost
}

func TestReady_ConsumerStalledWhileTheStreamMoves(t *testing.T) {
	t.Parallel()
	r := run(t)
	r.publish(t, "a")
	r.knows(t, "a")
	stream, err := r.js.Stream(t.Context(), eventlog.Stream)
	if err != nil {
		t.Fatal(err)
	}
	var name string
	for name = range stream.ConsumerNames(t.Context()).Name() {
	}
	if _, err := stream.PauseConsumer(t.Context(), name, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	r.publish(t, "b", "c", "d")
	r.measured(t, 4)
	r.eventually(t, "") // that may be the usual delay
	r.clock.advance(6 * time.Second)
	r.eventually(t, "behind by 3 events for 6s, and none was read in that time")
	if _, err := stream.ResumeConsumer(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	r.eventually(t, "")
	r.knows(t, "b", "c", "d")
}

// measured waits until the projection has heard of an end of the stream.
func (r *running) measured(t *testing.T, last uint64) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; <-time.After(time.Millisecond) {
		r.lag.mu.Lock()
		got := r.lag.last
		r.lag.mu.Unlock()
		if got == last {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the end of the stream is at %d, want %d", got, last)
		}
	}
}

func TestRun_FollowsAStreamThatIsPurged(t *testing.T) {
	t.Parallel()
	r := run(t)
	r.publish(t, "a", "b")
	r.knows(t, "b")
	stream, err := r.js.Stream(t.Context(), eventlog.Stream)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.clock.advance(time.Minute)
	r.eventually(t, "")
	r.publish(t, "c")
	r.knows(t, "c")
	r.clock.advance(time.Minute)
	r.eventually(t, "")
}

func TestRun_StartsOnAStreamWhoseEndIsGone(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*testing.T, jetstream.Stream) error{
		"purged":                 func(t *testing.T, s jetstream.Stream) error { return s.Purge(t.Context()) },
		"newest message deleted": func(t *testing.T, s jetstream.Stream) error { return s.DeleteMsg(t.Context(), 2) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t)
			r.publish(t, "a", "b")
			stream, err := r.js.Stream(t.Context(), eventlog.Stream)
			if err != nil {
				t.Fatal(err)
			}
			if err := remove(t, stream); err != nil {
				t.Fatal(err)
			}
			late := New(r.events, new(index.Index), r.check, quiet)
			late.now, late.every = r.clock.now, time.Millisecond
			go late.Run(t.Context())
			other := &running{Projection: late, clock: r.clock}
			other.eventually(t, "")
			r.clock.advance(time.Minute)
			other.eventually(t, "")
			r.publish(t, "c")
			other.knows(t, "c")
		})
	}
}

func TestRun_EndsWhenTheStreamIsReplaced(t *testing.T) {
	t.Parallel()
	r := run(t)
	r.publish(t, "a")
	r.knows(t, "a")
	if err := r.js.DeleteStream(t.Context(), eventlog.Stream); err != nil {
		t.Fatal(err)
	}
	if _, err := eventlog.Open(t.Context(), r.js); err != nil {
		t.Fatal(err)
	}
	if err := <-r.ended; !errors.Is(err, eventlog.ErrReplaced) {
		t.Errorf("run ended with %v, want ErrReplaced", err)
	}
}

// TestRun_ConsumerDeleted_LosesNothing takes the broker's consumer away while events arrive; the library makes another.
func TestRun_ConsumerDeleted_LosesNothing(t *testing.T) {
	t.Parallel()
	r := run(t)
	stream, err := r.js.Stream(t.Context(), eventlog.Stream)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range 60 {
		ids = append(ids, fmt.Sprintf("v%02d", i))
		r.publish(t, ids[i])
		if i == 30 {
			for name := range stream.ConsumerNames(t.Context()).Name() {
				if err := stream.DeleteConsumer(t.Context(), name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	r.knows(t, ids...)
	r.eventually(t, "")
}
