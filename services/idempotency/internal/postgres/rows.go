package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

const (
	columns   = "revision, fingerprint, first_claimed_at, owner, lease_expires_at, outcome"
	insertRow = "SELECT " + columns + " FROM idempotency.insert_row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
	loadRow   = "SELECT " + columns + " FROM idempotency.claims " +
		"WHERE digest = $1 AND changed_at >= $2 ORDER BY changed_at DESC LIMIT 1"
	replaceRow = "SELECT idempotency.replace_row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
	removeRow  = "SELECT idempotency.remove_row($1, $2, $3, $4, $5)"
	awaitRow   = "SELECT idempotency.await_row($1, $2, $3, $4, $5)"
)

// Insert stores the first row of a key, or returns the one there is.
func (s *Store) Insert(ctx context.Context, key idemkey.Digest, row domain.Row) (app.Stored, bool, error) {
	now := s.cfg.Now()
	mine := app.Stored{Row: row, Revision: newRevision(now)}
	args := append([]any{lockOf(key), key[:], int64(mine.Revision)}, values(row)...)
	found, ok, err := s.one(ctx, insertRow, append(args, now, s.liveSince(now))...)
	if err != nil {
		return app.Stored{}, false, err
	}
	if !ok || found.Revision == mine.Revision { // the latter: the answer was lost on the first try
		return mine, true, nil
	}
	return found, false, nil
}

// Load returns the key's row, if any.
func (s *Store) Load(ctx context.Context, key idemkey.Digest) (app.Stored, bool, error) {
	return s.one(ctx, loadRow, key[:], s.liveSince(s.cfg.Now()))
}

// Replace stores a row in place of the one at the revision.
func (s *Store) Replace(ctx context.Context, key idemkey.Digest, revision uint64, row domain.Row) error {
	since, before := s.span(revision)
	// On a clock that is behind that of an earlier change, the row does not go back to a day that another row of the key may be on.
	at := later(s.cfg.Now(), dayOf(revision))
	args := append([]any{lockOf(key), key[:], int64(revision), int64(newRevision(at))}, values(row)...)
	return s.change(ctx, replaceRow, append(args, at, since, before)...)
}

// Remove deletes the row at the revision.
func (s *Store) Remove(ctx context.Context, key idemkey.Digest, revision uint64) error {
	since, before := s.span(revision)
	return s.change(ctx, removeRow, lockOf(key), key[:], int64(revision), since, before)
}

// one runs a query for a row.
func (s *Store) one(ctx context.Context, query string, args ...any) (found app.Stored, ok bool, err error) {
	err = s.do(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		found, err = scan(conn.QueryRow(ctx, query, args...))
		ok = err == nil
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	return found, ok, err
}

// change runs a function that tells whether there was a row at the revision.
func (s *Store) change(ctx context.Context, query string, args ...any) error {
	there, err := s.ask(ctx, query, args...)
	if err == nil && !there {
		return app.ErrStale
	}
	return err
}

func (s *Store) ask(ctx context.Context, query string, args ...any) (yes bool, err error) {
	err = s.do(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, query, args...).Scan(&yes)
	})
	return yes, err
}

// liveSince is when a row must have changed, or later, to be within the retention.
func (s *Store) liveSince(now time.Time) time.Time { return now.Add(-s.cfg.Retention) }

// span is when the row at the revision changed, if it is live: since one instant and before the other.
func (s *Store) span(revision uint64) (since, before time.Time) {
	of := dayOf(revision)
	return later(of, s.liveSince(s.cfg.Now())), of.Add(day)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// lockOf is the advisory lock of a key. Two keys may share one; then they wait for each other, no more.
func lockOf(key idemkey.Digest) int64 { return int64(binary.BigEndian.Uint64(key[:8])) }

// values are a row as the functions take it: fingerprint, first claimed at, owner, lease, outcome.
func values(r domain.Row) []any {
	var owner *string
	var lease *time.Time
	if r.Owner != "" {
		owner, lease = &r.Owner, &r.LeaseExpires
	}
	return []any{r.Fingerprint[:], r.FirstClaimedAt, owner, lease, r.Outcome}
}

func scan(row pgx.Row) (app.Stored, error) {
	var found app.Stored
	var revision int64
	var fingerprint []byte
	var owner *string
	var lease *time.Time
	if err := row.Scan(&revision, &fingerprint, &found.FirstClaimedAt, &owner, &lease, &found.Outcome); err != nil {
		return app.Stored{}, err
	}
	if copy(found.Fingerprint[:], fingerprint) != len(found.Fingerprint) {
		return app.Stored{}, fmt.Errorf("a row has a fingerprint of %d bytes", len(fingerprint))
	}
	found.Revision, found.FirstClaimedAt = uint64(revision), found.FirstClaimedAt.UTC()
	if owner != nil && lease != nil {
		found.Owner, found.LeaseExpires = *owner, lease.UTC()
	}
	return found, nil
}
