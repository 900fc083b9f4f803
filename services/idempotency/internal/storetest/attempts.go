package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

var anyOwner = cmpopts.IgnoreFields(app.Fresh{}, "Owner")

func begin(t *testing.T, r *app.Registry, key idemkey.Digest, f domain.Fingerprint) app.Claim {
	t.Helper()
	claim, err := r.Begin(t.Context(), key, f, 0)
	if err != nil {
		t.Fatal(err)
	}
	return claim
}

func beginFresh(t *testing.T, r *app.Registry, key idemkey.Digest, f domain.Fingerprint) *app.Fresh {
	t.Helper()
	claim := begin(t, r, key, f)
	if claim.Fresh == nil {
		t.Fatalf("claim = %+v, want fresh", claim)
	}
	return claim.Fresh
}

func complete(t *testing.T, r *app.Registry, key idemkey.Digest, owner, outcome string) {
	t.Helper()
	if err := r.Complete(t.Context(), key, owner, nil, []byte(outcome)); err != nil {
		t.Error(err)
	}
}

func wantClaim(t *testing.T, want, got app.Claim) {
	t.Helper()
	if diff := cmp.Diff(want, got, anyOwner); diff != "" {
		t.Error(diff)
	}
}

func replay(outcome string) app.Claim {
	return app.Claim{Replay: &app.Replay{Outcome: []byte(outcome)}}
}

func fresh(first time.Time, resumed bool) app.Claim {
	return app.Claim{Fresh: &app.Fresh{FirstClaimedAt: first, Resumed: resumed, Lease: lease}}
}

func replayAndConflict(t *testing.T, store app.Store) {
	r, clock := newRegistry(store)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	wantClaim(t, fresh(clock.Now(), false), app.Claim{Fresh: first})
	complete(t, r, key, first.Owner, "outcome")

	clock.advance(2 * lease) // an outcome has no lease
	wantClaim(t, replay("outcome"), begin(t, r, key, payload(1)))
	wantClaim(t, app.Claim{Conflict: true}, begin(t, r, key, payload(2)))
	wantClaim(t, fresh(clock.Now(), false), begin(t, r, newKey(), payload(2)))
}

func held(t *testing.T, store app.Store) {
	r, clock := newRegistry(store)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	clock.advance(4 * time.Second)
	inProgress := app.Claim{InProgress: &app.InProgress{RetryAfter: lease - 4*time.Second}}
	wantClaim(t, inProgress, begin(t, r, key, payload(1)))
	wantClaim(t, inProgress, begin(t, r, key, payload(2))) // no conflict as long as the first may still be refused
	complete(t, r, key, first.Owner, "outcome")
	wantClaim(t, app.Claim{Conflict: true}, begin(t, r, key, payload(2)))
}

func released(t *testing.T, store app.Store) {
	r, clock := newRegistry(store)
	key := newKey()
	first := beginFresh(t, r, key, payload(1))
	for range 2 { // the second does nothing
		if err := r.Release(t.Context(), key, first.Owner); err != nil {
			t.Fatal(err)
		}
	}
	clock.advance(time.Minute)
	wantClaim(t, fresh(clock.Now(), false), begin(t, r, key, payload(2)))
}

func resumed(t *testing.T, store app.Store) {
	for name, second := range map[string]domain.Fingerprint{"same payload": payload(1), "another": payload(2)} {
		t.Run(name, func(t *testing.T) {
			r, clock := newRegistry(store)
			key, at := newKey(), clock.Now()
			beginFresh(t, r, key, payload(1))
			clock.advance(lease)
			claim := begin(t, r, key, second)
			wantClaim(t, fresh(at, true), claim)
			complete(t, r, key, claim.Fresh.Owner, "outcome")
			wantClaim(t, replay("outcome"), begin(t, r, key, second))
		})
	}
}

// slow is a store whose every change takes a while, by the clock of the test.
type slow struct {
	app.Store
	clock *clock
	takes time.Duration
}

func (s slow) Insert(ctx context.Context, key idemkey.Digest, row domain.Row) (app.Stored, bool, error) {
	defer s.clock.advance(s.takes)
	return s.Store.Insert(ctx, key, row)
}

func (s slow) Replace(ctx context.Context, key idemkey.Digest, revision uint64, row domain.Row) error {
	defer s.clock.advance(s.takes)
	return s.Store.Replace(ctx, key, revision, row)
}

func slowStore(t *testing.T, store app.Store) {
	for _, test := range []struct{ takes, first, resumed time.Duration }{
		{3 * time.Second, lease - 3*time.Second, lease - 6*time.Second}, // a takeover is an insert in vain and a replacement
		{lease / 2, lease / 2, 0},
		{lease + time.Second, 0, 0},
	} {
		t.Run(test.takes.String(), func(t *testing.T) {
			clock := newClock()
			r := app.NewRegistry(slow{store, clock, test.takes}, lease, clock.Now)
			key, at := newKey(), clock.Now()
			want := fresh(at, false)
			want.Fresh.Lease = test.first
			wantClaim(t, want, begin(t, r, key, payload(1)))
			clock.advance(lease)
			want = fresh(at, true)
			want.Fresh.Lease = test.resumed
			wantClaim(t, want, begin(t, r, key, payload(1)))
		})
	}
}

func completeAsFound(t *testing.T, store app.Store) {
	r, clock := newRegistry(store)
	key := newKey()
	beginFresh(t, r, key, payload(1))
	clock.advance(lease)
	second := beginFresh(t, r, key, payload(2))
	of := payload(1)
	if err := r.Complete(t.Context(), key, second.Owner, &of, []byte("first")); err != nil {
		t.Fatal(err)
	}
	wantClaim(t, replay("first"), begin(t, r, key, payload(1)))
	wantClaim(t, app.Claim{Conflict: true}, begin(t, r, key, payload(2)))
}

func slowOwner(t *testing.T, store app.Store) {
	r, clock := newRegistry(store)
	key := newKey()
	slow := beginFresh(t, r, key, payload(1))
	clock.advance(lease)
	later := beginFresh(t, r, key, payload(1))

	refused := func(when string) {
		t.Helper()
		if err := r.Complete(t.Context(), key, slow.Owner, nil, []byte("slow")); !errors.Is(err, domain.ErrNotOwner) {
			t.Errorf("%s: complete: err = %v, want ErrNotOwner", when, err)
		}
		if err := r.Release(t.Context(), key, slow.Owner); err != nil {
			t.Errorf("%s: release: %v", when, err)
		}
	}
	refused("while the later one is at work")
	complete(t, r, key, later.Owner, "later")
	refused("after the later one completed")
	wantClaim(t, replay("later"), begin(t, r, key, payload(1)))
	if err := r.Complete(context.Background(), newKey(), slow.Owner, nil, nil); !errors.Is(err, domain.ErrNotOwner) {
		t.Errorf("unused key: err = %v, want ErrNotOwner", err)
	}
}
