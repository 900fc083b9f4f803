package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// model is the service in a few lines: what each key holds, with owners by the order in which claims were granted.
type model struct {
	owner   int // of the claim; 0 when there is none
	payload byte
	first   time.Time
	expires time.Time
	outcome string // "" until completed
}

// run is one random history over a store, which two replicas share.
type run struct {
	replicas []*app.Registry
	clock    *clock
	keys     []idemkey.Digest
	models   []model
	owners   []string // owners[n-1] is the token of owner n
}

// interleavings lets several attempts at several keys take their steps in any order and on any replica, late ones included, and
// compares every answer with the model's.
func interleavings(t *testing.T, store app.Store) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		replicas := []*app.Registry{app.NewRegistry(store, lease, c.Now), app.NewRegistry(store, lease, c.Now)}
		h := &run{replicas: replicas, clock: c, keys: []idemkey.Digest{newKey(), newKey()}, models: make([]model, 2)}
		t.Repeat(map[string]func(*rapid.T){
			"begin": h.begin, "complete": h.complete, "release": h.release, "restore": h.restore,
			"time passes": func(t *rapid.T) {
				c.advance(time.Duration(rapid.IntRange(0, int(lease/time.Millisecond)).Draw(t, "ms")) * time.Millisecond)
			},
		})
	})
}

func (h *run) begin(t *rapid.T) {
	k, p := h.drawKey(t), rapid.ByteRange(1, 2).Draw(t, "payload")
	m, now := &h.models[k], h.clock.Now()
	got, err := h.drawReplica(t).Begin(t.Context(), h.keys[k], payload(p), 0)
	if err != nil {
		t.Fatal(err)
	}
	var want app.Claim
	switch {
	case m.outcome != "" && m.payload == p:
		want = replay(m.outcome)
	case m.outcome != "":
		want = app.Claim{Conflict: true}
	case m.owner != 0 && now.Before(m.expires):
		want = app.Claim{InProgress: &app.InProgress{RetryAfter: m.expires.Sub(now)}}
	default:
		resumed := m.owner != 0
		if !resumed {
			m.first = now
		}
		want = fresh(m.first, resumed)
		m.owner, m.payload, m.expires = len(h.owners)+1, p, now.Add(lease)
		if got.Fresh != nil {
			h.owners = append(h.owners, got.Fresh.Owner)
		}
	}
	if diff := cmp.Diff(want, got, anyOwner); diff != "" {
		t.Fatal(diff)
	}
}

func (h *run) complete(t *rapid.T) {
	k, owner := h.drawKey(t), h.drawOwner(t)
	m := &h.models[k]
	outcome := rapid.StringN(1, 8, -1).Draw(t, "outcome")
	var of *domain.Fingerprint
	p := m.payload
	if rapid.Bool().Draw(t, "as found") {
		p = rapid.ByteRange(1, 2).Draw(t, "payload")
		f := payload(p)
		of = &f
	}
	err := h.drawReplica(t).Complete(t.Context(), h.keys[k], h.owners[owner-1], of, []byte(outcome))
	if m.owner != owner {
		if !errors.Is(err, domain.ErrNotOwner) {
			t.Fatalf("err = %v, want ErrNotOwner", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	*m = model{payload: p, first: m.first, outcome: outcome}
}

func (h *run) release(t *rapid.T) {
	k, owner := h.drawKey(t), h.drawOwner(t)
	if err := h.drawReplica(t).Release(t.Context(), h.keys[k], h.owners[owner-1]); err != nil {
		t.Fatal(err)
	}
	if h.models[k].owner == owner {
		h.models[k] = model{}
	}
}

func (h *run) restore(t *rapid.T) {
	k, p := h.drawKey(t), rapid.ByteRange(1, 2).Draw(t, "payload")
	m, now := &h.models[k], h.clock.Now()
	outcome := rapid.StringN(1, 8, -1).Draw(t, "outcome")
	got, err := h.drawReplica(t).Restore(t.Context(), h.keys[k], payload(p), now, []byte(outcome))
	if err != nil {
		t.Fatal(err)
	}
	want := m.outcome == "" && (m.owner == 0 || !now.Before(m.expires))
	if got != want {
		t.Fatalf("restored = %v, want %v", got, want)
	}
	if want {
		*m = model{payload: p, first: now, outcome: outcome}
	}
}

func (h *run) drawReplica(t *rapid.T) *app.Registry {
	return rapid.SampledFrom(h.replicas).Draw(t, "replica")
}

func (h *run) drawKey(t *rapid.T) int { return rapid.IntRange(0, len(h.keys)-1).Draw(t, "key") }

// drawOwner picks any owner so far, of whichever key.
func (h *run) drawOwner(t *rapid.T) int {
	if len(h.owners) == 0 {
		t.Skip("no claim was granted yet")
	}
	return rapid.IntRange(1, len(h.owners)).Draw(t, "owner")
}
