package kv

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

const (
	claimed = "claimed"
	done    = "done"
)

// stored is a row in the bucket. It holds no value of a customer: the key is a digest, the payload a fingerprint.
type stored struct {
	State          string     `json:"state"`
	Fingerprint    []byte     `json:"fingerprint"`
	FirstClaimedAt time.Time  `json:"first_claimed_at"`
	Owner          string     `json:"owner,omitempty"`
	LeaseExpires   *time.Time `json:"lease_expires,omitempty"`
	Outcome        []byte     `json:"outcome,omitempty"`
}

func encode(r domain.Row) ([]byte, error) {
	s := stored{State: done, Fingerprint: r.Fingerprint[:], FirstClaimedAt: r.FirstClaimedAt, Outcome: r.Outcome}
	if r.Owner != "" {
		s.State, s.Owner, s.LeaseExpires = claimed, r.Owner, &r.LeaseExpires
	}
	return json.Marshal(s)
}

func decode(entry jetstream.KeyValueEntry) (app.Stored, error) {
	var s stored
	if err := json.Unmarshal(entry.Value(), &s); err != nil {
		return app.Stored{}, fmt.Errorf("decode row %s: %w", entry.Key(), err)
	}
	row := domain.Row{FirstClaimedAt: s.FirstClaimedAt, Owner: s.Owner, Outcome: s.Outcome}
	if s.LeaseExpires != nil {
		row.LeaseExpires = *s.LeaseExpires
	}
	if copy(row.Fingerprint[:], s.Fingerprint) != len(row.Fingerprint) || (s.State == claimed) != (s.Owner != "") {
		return app.Stored{}, fmt.Errorf("decode row %s: not a row of this service", entry.Key())
	}
	return app.Stored{Row: row, Revision: entry.Revision()}, nil
}
