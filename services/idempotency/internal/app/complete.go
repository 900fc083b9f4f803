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
	found, ok, err := r.store.Load(ctx, key)
	if err != nil {
		return fmt.Errorf("read claim: %w", err)
	}
	if !ok {
		return domain.ErrNotOwner
	}
	of := found.Fingerprint
	if f != nil {
		of = *f
	}
	row, err := found.Completed(owner, of, outcome)
	if err != nil {
		return err
	}
	err = r.store.Replace(ctx, key, found.Revision, row)
	if errors.Is(err, ErrStale) {
		return domain.ErrNotOwner
	}
	if err != nil {
		return fmt.Errorf("record outcome: %w", err)
	}
	return nil
}
