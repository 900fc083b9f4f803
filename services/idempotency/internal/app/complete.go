package app

import (
	"context"
	"errors"
	"fmt"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/domain"
)

// Complete records the outcome under the owner's claim, as that of the claim's payload or, when f is not nil, of that one. It
// returns domain.ErrNotOwner when the claim is no longer the owner's; nothing is changed then.
func (r *Registry) Complete(ctx context.Context, key idemkey.Digest, owner string, f *domain.Fingerprint, outcome []byte) error {
	if claim, ok := r.granted.take(key, owner); ok {
		if err := r.record(ctx, key, claim, owner, f, outcome); !errors.Is(err, ErrStale) {
			return err
		}
	}
	found, ok, err := r.store.Load(ctx, key)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	if !ok {
		return domain.ErrNotOwner
	}
	err = r.record(ctx, key, found, owner, f, outcome)
	if errors.Is(err, ErrStale) {
		return domain.ErrNotOwner
	}
	return err
}

// record completes the claim. It returns ErrStale when the row is no longer that claim.
func (r *Registry) record(
	ctx context.Context, key idemkey.Digest, claim Stored, owner string, f *domain.Fingerprint, outcome []byte,
) error {
	of := claim.Fingerprint
	if f != nil {
		of = *f
	}
	row, err := claim.Completed(owner, of, outcome)
	if err != nil {
		return err
	}
	if err := r.store.Replace(ctx, key, claim.Revision, row); err != nil {
		return fmt.Errorf("record outcome: %w", err)
	}
	return nil
}
