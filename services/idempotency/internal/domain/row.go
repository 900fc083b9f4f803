package domain

import (
	"crypto/sha256"
	"errors"
	"time"
)

// ErrNotOwner says that an attempt does not hold the claim under the key: it ran out and another attempt took it over, it
// was released, or it has an outcome.
var ErrNotOwner = errors.New("the claim is not this owner's")

// Fingerprint identifies a payload: SHA-256 over its canonical form.
type Fingerprint [sha256.Size]byte

// Row is what is known under one key. A claim has an Owner and a lease; a completed row has neither, and an Outcome.
type Row struct {
	Fingerprint Fingerprint
	// FirstClaimedAt is when the key was first claimed, in whole milliseconds; every later attempt keeps it.
	FirstClaimedAt time.Time
	// Owner is the token of the attempt that holds the claim; "" once completed.
	Owner        string
	LeaseExpires time.Time
	// Outcome is what a replay returns; nil until completed.
	Outcome []byte
}

// NewClaim is the row of a key's first attempt.
func NewClaim(owner string, f Fingerprint, now time.Time, lease time.Duration) Row {
	now = now.UTC().Truncate(time.Millisecond)
	return Row{Fingerprint: f, FirstClaimedAt: now, Owner: owner, LeaseExpires: now.Add(lease)}
}

// NewCompleted is the row of a key whose outcome is known from elsewhere.
func NewCompleted(f Fingerprint, first time.Time, outcome []byte) Row {
	return Row{Fingerprint: f, FirstClaimedAt: first.UTC().Truncate(time.Millisecond), Outcome: outcome}
}

// TakenOver is the row after another attempt took over an expired claim. Its payload replaces that of the earlier attempt,
// whose effects may exist all the same: the one who resumes has to look.
func (r Row) TakenOver(owner string, f Fingerprint, now time.Time, lease time.Duration) Row {
	next := NewClaim(owner, f, now, lease)
	next.FirstClaimedAt = r.FirstClaimedAt
	return next
}

// Completed is the row with its outcome, recorded by the claim's owner. It returns ErrNotOwner for anyone else.
func (r Row) Completed(owner string, f Fingerprint, outcome []byte) (Row, error) {
	if !r.HeldBy(owner) {
		return Row{}, ErrNotOwner
	}
	return NewCompleted(f, r.FirstClaimedAt, outcome), nil
}

// HeldBy says whether the row is a claim of the owner. An expired claim is still its owner's until another takes it over.
func (r Row) HeldBy(owner string) bool { return owner != "" && r.Owner == owner }
