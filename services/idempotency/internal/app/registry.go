package app

import (
	"crypto/rand"
	"time"

	"forecourt.internal/platform/idemkey"
)

// Registry grants claims and remembers outcomes.
type Registry struct {
	store   Store
	lease   time.Duration
	now     func() time.Time
	turns   turns
	granted granted
}

// NewRegistry returns a registry over a store. A claim is held for the lease; now is the clock of leases.
func NewRegistry(store Store, lease time.Duration, now func() time.Time) *Registry {
	return &Registry{
		store: store, lease: lease, now: now, turns: turns{queues: make(map[idemkey.Digest]*queue)}, granted: newGranted(),
	}
}

// newOwner returns a token of at least 128 random bits.
func newOwner() string { return rand.Text() }
