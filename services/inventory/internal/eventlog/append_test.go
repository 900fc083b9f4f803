package eventlog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory/internal/vehicle"
)

func open(t testing.TB, js jetstream.JetStream) *Log {
	t.Helper()
	l, err := Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// changesOf are changes of n vehicles after their messages at some sequences.
func changesOf(n int, after func(i int) uint64) []Change {
	changes := make([]Change, n)
	for i := range changes {
		id := fmt.Sprint("v", i)
		changes[i] = Change{After: after(i), Event: Event{
			ID: "e", Kind: Listed, Tenant: "t", VehicleID: id, Source: "s", ObservedAt: time.UnixMicro(1),
			State: fmt.Appendf(nil, `{"vehicle_id":%q,"status":"available","updated_at":"2026-05-01T00:00:00Z"}`, id),
		}}
	}
	return changes
}

// answers appends and returns what was answered, checking the order.
func answers(t testing.TB, l *Log, changes []Change) []bool {
	t.Helper()
	var got []bool
	err := l.Append(t.Context(), slices.Values(changes), func(n int, stored bool) {
		if n != len(got) {
			t.Errorf("answer %d is of change %d", len(got), n)
		}
		got = append(got, stored)
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// streams that an import meets: a new one, one of an earlier version, and one that cannot take batches.
var kindsOfStream = map[string]func(*jetstream.StreamConfig){
	"new": nil,
	"of an earlier version": func(*jetstream.StreamConfig) {
	},
	"without batches": func(cfg *jetstream.StreamConfig) { cfg.PersistMode = jetstream.AsyncPersistMode },
}

func eachStream(t *testing.T, test func(t *testing.T, l *Log)) {
	for name, change := range kindsOfStream {
		t.Run(name, func(t *testing.T) {
			js := natstest.Start(t).JetStream()
			if change != nil {
				cfg := jetstream.StreamConfig{Name: Stream, Subjects: []string{"inventory.v1.*.*"}, MaxMsgsPerSubject: 32, AllowDirect: true}
				change(&cfg)
				if _, err := js.CreateStream(t.Context(), cfg); err != nil {
					t.Fatal(err)
				}
			}
			l := open(t, js)
			if want := name != "without batches"; l.batches != want {
				t.Errorf("batches = %t, want %t", l.batches, want)
			}
			test(t, l)
		})
	}
}

func TestAppend_RefusesOnlyWhatAnotherHasChanged(t *testing.T) {
	eachStream(t, func(t *testing.T, l *Log) {
		const n = 2*maxBatch + minBatch + 1
		none := func(int) uint64 { return 0 }
		want := make([]bool, n)
		for i := range want {
			want[i] = true
		}
		if diff := cmp.Diff(want, answers(t, l, changesOf(n, none))); diff != "" {
			t.Error(diff)
		}
		// The second time only the vehicles are at 0 that are new; of all others the sequence is known, but for three.
		lost := []int{0, maxBatch + 7, n - 1}
		more := changesOf(n+5, func(i int) uint64 {
			if i >= n || slices.Contains(lost, i) {
				return 0
			}
			return uint64(i + 1)
		})
		want = make([]bool, n+5)
		for i := range want {
			want[i] = !slices.Contains(lost, i)
		}
		if diff := cmp.Diff(want, answers(t, l, more)); diff != "" {
			t.Error(diff)
		}
		info, err := l.stream.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := int(info.State.Msgs); got != n+n+5-len(lost) {
			t.Errorf("%d messages are stored", got)
		}
	})
}

func TestAppend_LargeEvents_GoInBatchesThatTheBrokerTakes(t *testing.T) {
	l := open(t, natstest.Start(t).JetStream())
	changes := changesOf(40, func(int) uint64 { return 0 })
	for i := range changes {
		changes[i].Event.State = fmt.Appendf(nil, `{"vehicle_id":%q,"notes":"%0300000d"}`, changes[i].Event.VehicleID, i)
	}
	if got := answers(t, l, changes); slices.Contains(got, false) || len(got) != len(changes) {
		t.Errorf("answers = %v", got)
	}
}

func TestAppend_WithoutABroker_Ends(t *testing.T) {
	b := natstest.Start(t)
	for name, n := range map[string]int{"batches": 100, "singles": 1} {
		l := open(t, b.JetStream())
		l.js.Conn().Close()
		err := l.Append(t.Context(), slices.Values(changesOf(n, func(int) uint64 { return 0 })), func(n int, stored bool) {
			t.Errorf("%s: change %d is answered: %t", name, n, stored)
		})
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	js := b.JetStream()
	l := open(t, js)
	if err := js.DeleteStream(t.Context(), Stream); err != nil {
		t.Fatal(err)
	}
	err := l.Append(t.Context(), slices.Values(changesOf(100, func(int) uint64 { return 0 })), func(int, bool) {})
	if !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("no stream: err = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l = open(t, b.JetStream())
	if err := l.Append(ctx, slices.Values(changesOf(100, func(int) uint64 { return 0 })), func(int, bool) {}); err == nil {
		t.Error("canceled: no error")
	}
}

func TestConfirm_OnlyAfterTheLastOne(t *testing.T) {
	l := open(t, natstest.Start(t).JetStream())
	c := Confirmation{ID: "c", Tenant: "t", AsOf: 1, ObservedAt: time.UnixMicro(7).UTC()}
	for _, step := range []struct {
		after uint64
		want  bool
	}{{3, false}, {0, true}, {0, false}, {1, true}} {
		stored, err := l.Confirm(t.Context(), c, step.after)
		if err != nil || stored != step.want {
			t.Errorf("after %d: stored = %t, err = %v", step.after, stored, err)
		}
	}
	stock, err := l.Current(t.Context(), "t", func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	want := &Stock{Vehicles: map[string]Last{}, AsOf: 2, Confirmed: c, ConfirmedSeq: 2}
	if diff := cmp.Diff(want, stock); diff != "" {
		t.Error(diff)
	}
}

func TestCurrent_BrokenMessages_HideNoConfirmationAndSayNothing(t *testing.T) {
	js := natstest.Start(t).JetStream()
	l := open(t, js)
	change := changesOf(1, func(int) uint64 { return 0 })[0]
	change.Event.State = []byte(`{"vehicle_id":"v0","rooftop":"Oäkland \\","status":"available","updated_at":"2026-05-01T00:00:00Z"}`)
	answers(t, l, []Change{change})
	facts, err := vehicle.FactsSum(change.Event.State)
	if err != nil {
		t.Fatal(err)
	}
	c := Confirmation{ID: "c", Tenant: "t", AsOf: 1, ObservedAt: time.UnixMicro(7).UTC()}
	if _, err := l.Confirm(t.Context(), c, 0); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"v1", "~confirmed"} {
		if _, err := js.Publish(t.Context(), "inventory.v1.t."+place, []byte("broken")); err != nil {
			t.Fatal(err)
		}
	}
	stock, err := l.Current(t.Context(), "t", func(int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	want := &Stock{Vehicles: map[string]Last{
		"v0": {Seq: 1, OnSale: true, Facts: facts, ObservedAt: 1, Rooftop: `Oäkland \`}, "v1": {Seq: 3, Broken: true},
	}, AsOf: 4, Confirmed: c, ConfirmedSeq: 4}
	if diff := cmp.Diff(want, stock); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkAppend(b *testing.B) {
	l := open(b, natstest.Start(b).JetStream())
	changes := changesOf(b.N, func(int) uint64 { return 0 })
	b.ResetTimer()
	answers(b, l, changes)
}

func BenchmarkCurrent(b *testing.B) {
	l := open(b, natstest.Start(b).JetStream())
	answers(b, l, changesOf(b.N, func(int) uint64 { return 0 }))
	b.ReportAllocs()
	b.ResetTimer()
	if _, err := l.Current(b.Context(), "t", func(int64, int64) {}); err != nil {
		b.Fatal(err)
	}
}
