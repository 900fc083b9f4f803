package storetest

import (
	"testing"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
)

// restored restores the same outcome over every state that a key may be in.
func restored(t *testing.T, store app.Store) {
	for _, test := range []struct {
		name string
		// before brings the key into the state, which it returns to by the clock.
		before func(t *testing.T, r *app.Registry, c *clock, key idemkey.Digest)
		want   bool
		after  app.Claim // of an attempt with the restored payload
	}{
		{"no row", func(*testing.T, *app.Registry, *clock, idemkey.Digest) {}, true, replay("log")},
		{"released", func(t *testing.T, r *app.Registry, _ *clock, key idemkey.Digest) {
			if err := r.Release(t.Context(), key, beginFresh(t, r, key, payload(2)).Owner); err != nil {
				t.Fatal(err)
			}
		}, true, replay("log")},
		{"claimed", func(t *testing.T, r *app.Registry, _ *clock, key idemkey.Digest) {
			beginFresh(t, r, key, payload(2))
		}, false, app.Claim{InProgress: &app.InProgress{RetryAfter: lease}}},
		{"claimed, and the lease ran out", func(t *testing.T, r *app.Registry, c *clock, key idemkey.Digest) {
			beginFresh(t, r, key, payload(2))
			c.advance(lease)
		}, true, replay("log")},
		{"completed", func(t *testing.T, r *app.Registry, _ *clock, key idemkey.Digest) {
			complete(t, r, key, beginFresh(t, r, key, payload(1)).Owner, "first")
		}, false, replay("first")},
		{"completed with another payload", func(t *testing.T, r *app.Registry, _ *clock, key idemkey.Digest) {
			complete(t, r, key, beginFresh(t, r, key, payload(2)).Owner, "first")
		}, false, app.Claim{Conflict: true}},
		{"restored", func(t *testing.T, r *app.Registry, c *clock, key idemkey.Digest) {
			restore(t, r, key, c.Now(), "first")
		}, false, replay("first")},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, clock := newRegistry(store)
			key, first := newKey(), clock.Now().Add(-time.Hour)
			test.before(t, r, clock, key)
			if got := restore(t, r, key, first, "log"); got != test.want {
				t.Errorf("restored = %v, want %v", got, test.want)
			}
			wantClaim(t, test.after, begin(t, r, key, payload(1)))
		})
	}
}

// restore restores an outcome of payload 1.
func restore(t *testing.T, r *app.Registry, key idemkey.Digest, first time.Time, outcome string) bool {
	t.Helper()
	ok, err := r.Restore(t.Context(), key, payload(1), first, []byte(outcome))
	if err != nil {
		t.Fatal(err)
	}
	return ok
}
