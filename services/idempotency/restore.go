package idempotency

import (
	"context"
	"time"

	"forecourt.internal/platform/idemkey"
)

// Outcome is what the log tells about one key.
type Outcome struct {
	Digest idemkey.Digest
	// Fingerprint of the payload that was recorded: SHA-256 over its canonical form.
	Fingerprint [32]byte
	// FirstClaimedAt is when the key was first claimed.
	FirstClaimedAt time.Time
	// Outcome is what a replay returns, free of customer values.
	Outcome []byte
}

// Restore records an outcome read from the log, so that a store that lost its rows answers retries by itself again. It completes a
// key without a row and one whose claim has expired. It leaves a claim that is held, an outcome that is there and a key that was
// claimed longer than the retention ago: restored is false then. After an error the same call may be made again. Restoring while the
// service answers attempts is safe, and so are several calls at the same time.
func (s *Service) Restore(ctx context.Context, o Outcome) (restored bool, err error) {
	if o.FirstClaimedAt.Add(s.retention).Before(s.now()) {
		return false, nil
	}
	return s.registry.Restore(ctx, o.Digest, o.Fingerprint, o.FirstClaimedAt, o.Outcome)
}
