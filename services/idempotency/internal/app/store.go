package app

import (
	"context"
	"errors"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/domain"
)

// ErrStale says that a row is no longer at the revision that a change was based on.
var ErrStale = errors.New("the row has changed")

// Stored is a row with the revision that a change of it must name.
type Stored struct {
	domain.Row
	Revision uint64
}

// Store keeps one row per key for the retention window after its last change. Every change is atomic: of two changes based on
// the same revision one succeeds and the other returns ErrStale. Any other error says that the engine did not answer and that
// the change may or may not have happened.
type Store interface {
	// Insert stores the first row of a key and returns it. When there is one already it returns that and inserted is false.
	Insert(ctx context.Context, key idemkey.Digest, row domain.Row) (there Stored, inserted bool, err error)
	// Load returns the key's row; ok is false when there is none.
	Load(ctx context.Context, key idemkey.Digest) (found Stored, ok bool, err error)
	// Replace stores a row in place of the one at the revision.
	Replace(ctx context.Context, key idemkey.Digest, revision uint64, row domain.Row) error
	// Remove deletes the row at the revision.
	Remove(ctx context.Context, key idemkey.Digest, revision uint64) error
	// Await blocks until the key's row is not at the revision, without polling. It returns the context's error when that comes
	// first.
	Await(ctx context.Context, key idemkey.Digest, revision uint64) error
}
