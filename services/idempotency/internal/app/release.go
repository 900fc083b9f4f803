package app

import (
	"context"
	"errors"
	"fmt"

	"forecourt.internal/platform/idemkey"
)

// Release gives the owner's claim up, so that the next attempt is the first again. It does nothing when the claim is no longer
// the owner's.
func (r *Registry) Release(ctx context.Context, key idemkey.Digest, owner string) error {
	found, ok, err := r.store.Load(ctx, key)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	if !ok || !found.HeldBy(owner) {
		return nil
	}
	if err := r.store.Remove(ctx, key, found.Revision); err != nil && !errors.Is(err, ErrStale) {
		return fmt.Errorf("release claim: %w", err)
	}
	return nil
}
