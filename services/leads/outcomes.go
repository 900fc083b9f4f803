package leads

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/leads/internal/eventlog"
)

// Outcome is what the log holds under an idempotency key: what the idempotency service remembers of a recorded lead. Nothing in it
// is a customer's.
type Outcome struct {
	Key idemkey.Digest
	// Fingerprint is SHA-256 over the canonical payload.
	Fingerprint [32]byte
	// ReceivedAt is when the key was first claimed.
	ReceivedAt time.Time
	// Response is the JSON of the lead.submit.response.
	Response []byte
}

// Outcomes hands the outcome of every lead that was recorded since a time to each, in the order of the log up to what it holds now, and
// returns the first error of each or of reading. It passes over a message that is no lead.
func Outcomes(ctx context.Context, js jetstream.JetStream, since time.Time, each func(Outcome) error) error {
	log, err := eventlog.Existing(ctx, js)
	if err != nil {
		return err
	}
	return log.Outcomes(ctx, since, func(key idemkey.Digest, o eventlog.Outcome) error {
		return each(Outcome{Key: key, Fingerprint: o.Fingerprint, ReceivedAt: o.ReceivedAt, Response: o.Response})
	})
}
