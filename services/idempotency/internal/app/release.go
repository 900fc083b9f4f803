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
	if claim, ok := r.granted.take(key, owner); ok {
		if err := r.remove(ctx, key, claim); !errors.Is(err, ErrStale) {
			return err
		}
	}
	found, ok, err := r.store.Load(ctx, key)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	if !ok || !found.HeldBy(owner) {
		return nil
	}
	if err := r.remove(ctx, key, found); !errors.Is(err, ErrStale) {
		return err
	}
	return nil
}

// remove deletes the claim. It returns ErrStale when the row is no longer that claim.
func (r *Registry) remove(ctx context.Context, key idemkey.Digest, claim Stored) error {
	if err := r.store.Remove(ctx, key, claim.Revision); err != nil {
		return fmt.Errorf("release claim: %w", err)
	}
	return nil
}
