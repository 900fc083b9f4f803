package storetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

func claimRow(owner string) domain.Row {
	return domain.NewClaim(owner, payload(1), newClock().Now(), lease)
}

func insert(t *testing.T, store app.Store, row domain.Row) (key idemkey.Digest, at app.Stored) {
	t.Helper()
	k := newKey()
	at, inserted, err := store.Insert(t.Context(), k, row)
	if err != nil || !inserted {
		t.Fatalf("insert: inserted = %v, err = %v", inserted, err)
	}
	return k, at
}

func rowRoundTrip(t *testing.T, store app.Store) {
	claim := claimRow("owner")
	completed, err := claim.Completed("owner", payload(2), []byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]domain.Row{"claim": claim, "completed": completed} {
		t.Run(name, func(t *testing.T) {
			key, at := insert(t, store, want)
			got, ok, err := store.Load(t.Context(), key)
			if err != nil || !ok {
				t.Fatalf("ok = %v, err = %v", ok, err)
			}
			if diff := cmp.Diff(app.Stored{Row: want, Revision: at.Revision}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, ok, err := store.Load(t.Context(), newKey()); ok || err != nil {
		t.Errorf("unused key: ok = %v, err = %v", ok, err)
	}
}

func insertOnce(t *testing.T, store app.Store) {
	key := newKey()
	var won atomic.Int32
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			_, inserted, err := store.Insert(t.Context(), key, claimRow("owner"))
			if err != nil {
				t.Error(err)
			}
			if inserted {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if n := won.Load(); n != 1 {
		t.Errorf("%d inserts won, want 1", n)
	}
	found, inserted, err := store.Insert(t.Context(), key, claimRow("late"))
	if err != nil || inserted {
		t.Fatalf("inserted = %v, err = %v", inserted, err)
	}
	if diff := cmp.Diff(claimRow("owner"), found.Row); diff != "" {
		t.Error(diff)
	}
}

func staleChanges(t *testing.T, store app.Store) {
	key, first := insert(t, store, claimRow("a"))
	if err := store.Replace(t.Context(), key, first.Revision, claimRow("b")); err != nil {
		t.Fatal(err)
	}
	if err := store.Replace(t.Context(), key, first.Revision, claimRow("c")); !errors.Is(err, app.ErrStale) {
		t.Errorf("replace: err = %v, want ErrStale", err)
	}
	if err := store.Remove(t.Context(), key, first.Revision); !errors.Is(err, app.ErrStale) {
		t.Errorf("remove: err = %v, want ErrStale", err)
	}
	found, _, err := store.Load(t.Context(), key)
	if err != nil || found.Owner != "b" {
		t.Errorf("owner = %q, err = %v; want b", found.Owner, err)
	}
}

func insertAfterRemove(t *testing.T, store app.Store) {
	key, first := insert(t, store, claimRow("a"))
	if err := store.Remove(t.Context(), key, first.Revision); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := store.Load(t.Context(), key); ok || err != nil {
		t.Errorf("after removal: ok = %v, err = %v", ok, err)
	}
	second, inserted, err := store.Insert(t.Context(), key, claimRow("b"))
	if err != nil || !inserted {
		t.Fatalf("inserted = %v, err = %v", inserted, err)
	}
	// What was based on the first row must not touch the second.
	if err := store.Replace(t.Context(), key, first.Revision, claimRow("c")); !errors.Is(err, app.ErrStale) {
		t.Errorf("replace: err = %v, want ErrStale", err)
	}
	if err := store.Replace(t.Context(), key, second.Revision, claimRow("d")); err != nil {
		t.Error(err)
	}
}

func awaitChange(t *testing.T, store app.Store) {
	for name, change := range map[string]func(key idemkey.Digest, at app.Stored) error{
		"replaced": func(key idemkey.Digest, at app.Stored) error {
			return store.Replace(t.Context(), key, at.Revision, claimRow("b"))
		},
		"removed": func(key idemkey.Digest, at app.Stored) error {
			return store.Remove(t.Context(), key, at.Revision)
		},
	} {
		t.Run(name, func(t *testing.T) {
			key, at := insert(t, store, claimRow("a"))
			returned := make(chan error, 1)
			go func() { returned <- store.Await(t.Context(), key, at.Revision) }()
			if err := change(key, at); err != nil {
				t.Fatal(err)
			}
			if err := <-returned; err != nil {
				t.Error(err)
			}
			if err := store.Await(t.Context(), key, at.Revision); err != nil {
				t.Errorf("changed before the wait: %v", err)
			}
		})
	}
	if err := store.Await(t.Context(), newKey(), 1); err != nil {
		t.Errorf("no row: %v", err)
	}
}

func awaitContext(t *testing.T, store app.Store) {
	key, at := insert(t, store, claimRow("a"))
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan error, 1)
	go func() { returned <- store.Await(ctx, key, at.Revision) }()
	cancel()
	if err := <-returned; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}
