package kv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/streams"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// Bucket is the name of the key-value bucket; its keys are digests of idempotency keys in base32.
const Bucket = "IDEMPOTENCY"

// Store is an app.Store on a key-value bucket.
type Store struct{ bucket jetstream.KeyValue }

// Open opens the bucket, creating it on file storage when absent. Rows live for the bucket's TTL after their last change; it
// refuses one that is shorter than the retention (R-IDEM).
func Open(ctx context.Context, js jetstream.JetStream, retention time.Duration) (*Store, error) {
	bucket, err := streams.OpenBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: Bucket, Description: "Claims and outcomes under idempotency keys, by digest",
		History: 1, TTL: retention, Storage: jetstream.FileStorage,
	})
	if err != nil {
		return nil, err
	}
	status, err := bucket.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", Bucket, err)
	}
	if ttl := status.TTL(); ttl != 0 && ttl < retention {
		return nil, fmt.Errorf("bucket %s forgets outcomes after %s, but idempotency keys are kept for %s; raise its TTL",
			Bucket, ttl, retention)
	}
	return &Store{bucket: bucket}, nil
}

// Ready is nil while the bucket answers.
func (s *Store) Ready(ctx context.Context) error {
	if _, err := s.bucket.Status(ctx); err != nil {
		return fmt.Errorf("bucket %s: %w", Bucket, err)
	}
	return nil
}

// Close does nothing: the connection is the caller's.
func (s *Store) Close() {}

// Insert stores the first row of a key, or returns the one there is.
func (s *Store) Insert(ctx context.Context, key idemkey.Digest, row domain.Row) (app.Stored, bool, error) {
	value, err := encode(row)
	if err != nil {
		return app.Stored{}, false, err
	}
	revision, err := s.bucket.Create(ctx, key.String(), value)
	if err == nil {
		return app.Stored{Row: row, Revision: revision}, true, nil
	}
	if !streams.IsWrongLast(err) {
		return app.Stored{}, false, err
	}
	found, ok, err := s.Load(ctx, key)
	if err == nil && !ok { // removed in between
		err = app.ErrStale
	}
	return found, false, err
}

// Load returns the key's row, if any.
func (s *Store) Load(ctx context.Context, key idemkey.Digest) (app.Stored, bool, error) {
	entry, err := s.bucket.Get(ctx, key.String())
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return app.Stored{}, false, nil
	}
	if err != nil {
		return app.Stored{}, false, err
	}
	found, err := decode(entry)
	return found, err == nil, err
}

// Replace stores a row in place of the one at the revision.
func (s *Store) Replace(ctx context.Context, key idemkey.Digest, revision uint64, row domain.Row) error {
	value, err := encode(row)
	if err != nil {
		return err
	}
	_, err = s.bucket.Update(ctx, key.String(), value, revision)
	return stale(err)
}

// Remove deletes the row at the revision.
func (s *Store) Remove(ctx context.Context, key idemkey.Digest, revision uint64) error {
	return stale(s.bucket.Delete(ctx, key.String(), jetstream.LastRevision(revision)))
}

// Await blocks until the key's row is not at the revision.
func (s *Store) Await(ctx context.Context, key idemkey.Digest, revision uint64) error {
	watcher, err := s.bucket.Watch(ctx, key.String())
	if err != nil {
		return err
	}
	defer watcher.Stop()
	present := false
	for {
		select {
		case entry, open := <-watcher.Updates():
			switch {
			case !open && ctx.Err() != nil:
				return ctx.Err()
			case !open:
				return errors.New("the watch ended")
			case entry == nil && !present: // all there was has been read: nothing
				return nil
			case entry == nil:
			case entry.Revision() != revision:
				return nil
			default:
				present = true
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func stale(err error) error {
	if streams.IsWrongLast(err) {
		return app.ErrStale
	}
	return err
}
