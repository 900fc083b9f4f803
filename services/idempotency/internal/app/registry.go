package app

import (
	"crypto/rand"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/turns"
)

// Registry grants claims and remembers outcomes.
type Registry struct {
	store   Store
	lease   time.Duration
	now     func() time.Time
	turns   turns.Turns[idemkey.Digest]
	granted granted
}

// NewRegistry returns a registry over a store. A claim is held for the lease; now is the clock of leases.
func NewRegistry(store Store, lease time.Duration, now func() time.Time) *Registry {
	return &Registry{
		store: store, lease: lease, now: now, granted: newGranted(),
	}
}

// newOwner returns a token of at least 128 random bits.
func newOwner() string { return rand.Text() }
