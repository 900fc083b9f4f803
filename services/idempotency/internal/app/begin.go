package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/domain"
)

// maxRaces bounds how often one Begin starts over because another attempt changed the row first.
const maxRaces = 8

// errContended says that a Begin lost every race.
var errContended = errors.New("too many attempts under one key at the same time")

// Claim is the answer to Begin; exactly one member is set.
type Claim struct {
	Fresh      *Fresh
	Replay     *Replay
	Conflict   bool
	InProgress *InProgress
}

// Fresh grants the claim.
type Fresh struct {
	Owner          string
	FirstClaimedAt time.Time
	// Resumed is true when an earlier attempt ended without outcome or release: its effects may exist.
	Resumed bool
	// Lease is how long the claim is held from now on; zero when the store took all of that time to grant it.
	Lease time.Duration
}

// Replay is the outcome of an earlier attempt with the same payload.
type Replay struct{ Outcome []byte }

// InProgress says that another attempt still holds the key, and for how long at most.
type InProgress struct{ RetryAfter time.Duration }

// Begin claims the key for one attempt, or tells what became of an earlier one. While another attempt holds the key it waits
// for it, up to the given time. Attempts of one process take turns at waiting, so that a key that many retry at once has one
// watcher here and no stampede when it comes free. An error means that the store did not answer; the same call may be made
// again.
func (r *Registry) Begin(ctx context.Context, key idemkey.Digest, f domain.Fingerprint, wait time.Duration) (Claim, error) {
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if leave, err := r.turns.Take(waiting, key); err == nil {
		defer leave()
	}
	for range maxRaces {
		claim, held, err := r.attempt(ctx, key, f)
		for err == nil && held != nil && waiting.Err() == nil {
			if err = r.await(waiting, key, *held); err == nil {
				claim, held, err = r.attempt(ctx, key, f)
			}
		}
		if !errors.Is(err, ErrStale) {
			return claim, err
		}
	}
	return Claim{}, errContended
}

// attempt looks at the key once. held is the row of the attempt in progress, if that is the answer.
func (r *Registry) attempt(ctx context.Context, key idemkey.Digest, f domain.Fingerprint) (c Claim, held *Stored, err error) {
	now, owner := r.now(), newOwner()
	row := domain.NewClaim(owner, f, now, r.lease)
	found, inserted, err := r.store.Insert(ctx, key, row)
	if err != nil {
		return Claim{}, nil, fmt.Errorf("claim key: %w", err)
	}
	if inserted {
		r.granted.remember(key, found)
		return r.fresh(row, false), nil, nil
	}
	switch found.Meet(f, now) {
	case domain.Replay:
		return Claim{Replay: &Replay{Outcome: found.Outcome}}, nil, nil
	case domain.Conflict:
		return Claim{Conflict: true}, nil, nil
	case domain.Held:
		return Claim{InProgress: &InProgress{RetryAfter: found.LeaseExpires.Sub(now)}}, &found, nil
	}
	row = found.TakenOver(owner, f, now, r.lease)
	if err := r.store.Replace(ctx, key, found.Revision, row); err != nil {
		return Claim{}, nil, fmt.Errorf("take over expired claim: %w", err)
	}
	return r.fresh(row, true), nil, nil
}

// await returns when the held row has changed, its lease has run out or the wait is over.
func (r *Registry) await(waiting context.Context, key idemkey.Digest, held Stored) error {
	lease, cancel := context.WithTimeout(waiting, held.LeaseExpires.Sub(r.now()))
	defer cancel()
	if err := r.store.Await(lease, key, held.Revision); err != nil && lease.Err() == nil {
		return fmt.Errorf("wait for the attempt in progress: %w", err)
	}
	return nil
}

// fresh grants the row's claim for what is left of its lease, which has run since before the store was asked.
func (r *Registry) fresh(row domain.Row, resumed bool) Claim {
	left := max(0, row.LeaseExpires.Sub(r.now()))
	return Claim{Fresh: &Fresh{Owner: row.Owner, FirstClaimedAt: row.FirstClaimedAt, Resumed: resumed, Lease: left}}
}
