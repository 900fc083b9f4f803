package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/domain"
)

// Restore records an outcome that the log holds, for a store that lost its memory. A key without a row and one whose claim has
// expired are completed with it; a claim that is held and an outcome that is there stay, and restored is false: their attempts
// find the log by themselves. The same call may be made again.
func (r *Registry) Restore(
	ctx context.Context, key idemkey.Digest, f domain.Fingerprint, first time.Time, outcome []byte,
) (restored bool, err error) {
	row := domain.NewCompleted(f, first, outcome)
	for range maxRaces {
		found, inserted, err := r.store.Insert(ctx, key, row)
		if err == nil && !inserted {
			if found.Meet(f, r.now()) != domain.Expired {
				return false, nil
			}
			err = r.store.Replace(ctx, key, found.Revision, row)
		}
		if err == nil {
			return true, nil
		}
		if !errors.Is(err, ErrStale) {
			return false, fmt.Errorf("restore outcome: %w", err)
		}
	}
	return false, errContended
}
