package storetest

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// lease is how long claims last in the suite, by a clock that only the test moves.
const lease = 10 * time.Second

// Run holds one store against the whole suite.
func Run(t *testing.T, store app.Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, app.Store)
	}{
		{"a row comes back as it was stored", rowRoundTrip},
		{"one of many inserts wins", insertOnce},
		{"a change must name the latest revision", staleChanges},
		{"a key can be used again after removal", insertAfterRemove},
		{"a wait ends when the row changes", awaitChange},
		{"a wait ends with its context", awaitContext},
		{"an outcome is replayed to the same payload and refused to another", replayAndConflict},
		{"a held claim is in progress for any payload", held},
		{"a released key is fresh again", released},
		{"an expired claim is resumed by any payload", resumed},
		{"what the store takes to answer is gone from the lease", slowStore},
		{"an outcome may belong to the payload that was found", completeAsFound},
		{"a slow owner cannot change what a later one did", slowOwner},
		{"an outcome of the log fills what is missing and nothing else", restored},
		{"an owner ends its claim without reading it first", endsWithoutLoad},
		{"a waiting attempt gets the outcome", waitForOutcome},
		{"a waiting attempt gets a released key", waitForRelease},
		{"a waiting attempt resumes when the lease runs out", waitForExpiry},
		{"of many attempts one is fresh, the others replay", manyAttempts},
		{"many refused attempts are served one after another", manyRefusals},
		{"while many attempts wait, nobody asks the store", manyWaiters},
		{"random interleavings follow the model", interleavings},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, store) })
	}
}

// newKey returns a key that no other test uses.
func newKey() idemkey.Digest { return idemkey.Key{Key: rand.Text()}.Digest() }

func payload(n byte) domain.Fingerprint { return domain.Fingerprint{n} }

// clock moves only when told.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 4, 30, 11, 5, 9, 123_000_000, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func newRegistry(store app.Store) (*app.Registry, *clock) {
	c := newClock()
	return app.NewRegistry(store, lease, c.Now), c
}
