package storetest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// counted counts the calls of a store.
type counted struct {
	app.Store
	inserts, loads, replaces, removes, awaits atomic.Int32
}

type calls struct{ Inserts, Loads, Replaces, Removes, Awaits int32 }

func (c *counted) calls() calls {
	return calls{c.inserts.Load(), c.loads.Load(), c.replaces.Load(), c.removes.Load(), c.awaits.Load()}
}

func (c *counted) Insert(ctx context.Context, key idemkey.Digest, row domain.Row) (app.Stored, bool, error) {
	c.inserts.Add(1)
	return c.Store.Insert(ctx, key, row)
}

func (c *counted) Load(ctx context.Context, key idemkey.Digest) (app.Stored, bool, error) {
	c.loads.Add(1)
	return c.Store.Load(ctx, key)
}

func (c *counted) Replace(ctx context.Context, key idemkey.Digest, revision uint64, row domain.Row) error {
	c.replaces.Add(1)
	return c.Store.Replace(ctx, key, revision, row)
}

func (c *counted) Remove(ctx context.Context, key idemkey.Digest, revision uint64) error {
	c.removes.Add(1)
	return c.Store.Remove(ctx, key, revision)
}

func (c *counted) Await(ctx context.Context, key idemkey.Digest, revision uint64) error {
	c.awaits.Add(1)
	return c.Store.Await(ctx, key, revision)
}

func endsWithoutLoad(t *testing.T, store app.Store) {
	c := &counted{Store: store}
	r, clock := newRegistry(c)
	key := newKey()
	if err := r.Release(t.Context(), key, beginFresh(t, r, key, payload(1)).Owner); err != nil {
		t.Fatal(err)
	}
	complete(t, r, key, beginFresh(t, r, key, payload(1)).Owner, "outcome")
	if diff := cmp.Diff(calls{Inserts: 2, Replaces: 1, Removes: 1}, c.calls()); diff != "" {
		t.Error(diff)
	}

	// Another replica, or this one after a restart, has to look.
	later := app.NewRegistry(c, lease, clock.Now)
	key = newKey()
	complete(t, later, key, beginFresh(t, r, key, payload(1)).Owner, "outcome")
	if diff := cmp.Diff(calls{Inserts: 3, Loads: 1, Replaces: 2, Removes: 1}, c.calls()); diff != "" {
		t.Error(diff)
	}
}

// manyWaiters lets attempts of one replica wait for an owner that takes its time: one of them waits at the store, once, and when
// the outcome is there each asks for it.
func manyWaiters(t *testing.T, store app.Store) {
	const attempts = 64
	c := &counted{Store: store}
	w := watched{Store: c, waiting: make(chan struct{})}
	r, _ := newRegistry(w)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	var all sync.WaitGroup
	for range attempts {
		all.Go(func() {
			claim, err := r.Begin(t.Context(), key, payload(1), patience)
			if err != nil || claim.Replay == nil {
				t.Errorf("claim = %+v, err = %v; want a replay", claim, err)
			}
		})
	}
	<-w.waiting
	complete(t, r, key, first.Owner, "outcome")
	all.Wait()
	// The first attempt, the one that waited before and after, and all others once.
	if diff := cmp.Diff(calls{Inserts: 1 + 2 + attempts - 1, Replaces: 1, Awaits: 1}, c.calls()); diff != "" {
		t.Error(diff)
	}
}
