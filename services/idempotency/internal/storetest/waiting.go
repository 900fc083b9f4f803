package storetest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
)

// patience is a wait that no passing test uses up.
const patience = time.Minute

// watched tells when an attempt begins to wait.
type watched struct {
	app.Store
	waiting chan struct{}
}

func (w watched) Await(ctx context.Context, key idemkey.Digest, revision uint64) error {
	w.waiting <- struct{}{}
	return w.Store.Await(ctx, key, revision)
}

// whileWaiting runs do once another attempt at the key waits, and returns what that attempt gets.
func whileWaiting(t *testing.T, store app.Store, do func(r *app.Registry, key idemkey.Digest, owner string)) app.Claim {
	t.Helper()
	w := watched{Store: store, waiting: make(chan struct{})}
	r, _ := newRegistry(w)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	got := make(chan app.Claim, 1)
	go func() {
		claim, err := r.Begin(t.Context(), key, payload(1), patience)
		if err != nil {
			t.Error(err)
		}
		got <- claim
	}()
	<-w.waiting
	do(r, key, first.Owner)
	return <-got
}

func waitForOutcome(t *testing.T, store app.Store) {
	got := whileWaiting(t, store, func(r *app.Registry, key idemkey.Digest, owner string) {
		complete(t, r, key, owner, "outcome")
	})
	wantClaim(t, replay("outcome"), got)
}

func waitForRelease(t *testing.T, store app.Store) {
	got := whileWaiting(t, store, func(r *app.Registry, key idemkey.Digest, owner string) {
		if err := r.Release(t.Context(), key, owner); err != nil {
			t.Error(err)
		}
	})
	wantClaim(t, fresh(newClock().Now(), false), got)
}

// Here the lease runs on the real clock: the attempt must wake by itself, nobody touches the row.
func waitForExpiry(t *testing.T, store app.Store) {
	const brief = 50 * time.Millisecond
	r := app.NewRegistry(store, brief, time.Now)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	got, err := r.Begin(t.Context(), key, payload(1), patience)
	if err != nil {
		t.Fatal(err)
	}
	if got.Fresh == nil || got.Fresh.Lease > brief {
		t.Fatalf("claim = %+v, want fresh for up to %s", got, brief)
	}
	got.Fresh.Lease = brief
	wantClaim(t, app.Claim{Fresh: &app.Fresh{FirstClaimedAt: first.FirstClaimedAt, Resumed: true, Lease: brief}}, got)
}

func manyAttempts(t *testing.T, store app.Store) {
	r, _ := newRegistry(store)
	other, _ := newRegistry(store) // as if of another replica
	key := newKey()
	var freshes, replays atomic.Int32
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			registry := r
			if i%2 == 1 {
				registry = other
			}
			claim, err := registry.Begin(t.Context(), key, payload(1), patience)
			switch {
			case err != nil:
				t.Error(err)
			case claim.Fresh != nil:
				freshes.Add(1)
				complete(t, registry, key, claim.Fresh.Owner, "outcome")
			case claim.Replay != nil && string(claim.Replay.Outcome) == "outcome":
				replays.Add(1)
			default:
				t.Errorf("claim = %+v", claim)
			}
		})
	}
	all.Wait()
	if freshes.Load() != 1 || replays.Load() != 63 {
		t.Errorf("fresh = %d, replays = %d; want 1 and 63", freshes.Load(), replays.Load())
	}
}

func manyRefusals(t *testing.T, store app.Store) {
	r, _ := newRegistry(store)
	key := newKey()
	var at atomic.Int32
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			claim, err := r.Begin(t.Context(), key, payload(1), patience)
			if err != nil || claim.Fresh == nil || claim.Fresh.Resumed {
				t.Errorf("claim = %+v, err = %v; want fresh", claim, err)
				return
			}
			if at.Add(1) != 1 {
				t.Error("two attempts hold the key")
			}
			at.Add(-1)
			if err := r.Release(t.Context(), key, claim.Fresh.Owner); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
