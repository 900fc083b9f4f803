package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
	"forecourt.internal/platform/tenant"
)

// Bucket is the key-value bucket of tenant documents; the key is the tenant id.
const Bucket = "TENANTS"

// ErrNotFound says that no tenant has the id.
var ErrNotFound = errors.New("no such tenant")

// ErrNoBucket says that the broker has no tenants: no Forecourt has ever run on it.
var ErrNoBucket = errors.New("the NATS server has no bucket " + Bucket + "; is it the one that Forecourt runs on?")

// Store keeps tenant documents in the TENANTS bucket.
type Store struct{ kv jetstream.KeyValue }

// Open opens the bucket, creating it when absent.
func Open(ctx context.Context, js jetstream.JetStream) (*Store, error) {
	kv, err := streams.OpenBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: Bucket, Description: "Dealerships, by tenant id", History: 8, Storage: jetstream.FileStorage,
	})
	if err != nil {
		return nil, err
	}
	return &Store{kv: kv}, nil
}

// Existing opens the bucket of a running system. It returns ErrNoBucket, wrapped, where there is none.
func Existing(ctx context.Context, js jetstream.JetStream) (*Store, error) {
	kv, err := js.KeyValue(ctx, Bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, ErrNoBucket
	}
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", Bucket, err)
	}
	return &Store{kv: kv}, nil
}

// Put writes a document, new or changed. Its id must be valid.
func (s *Store) Put(ctx context.Context, d *tenant.Document) error {
	if !tenant.ValidID(d.ID) {
		return fmt.Errorf("store tenant: the id %q is not valid", d.ID)
	}
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode tenant %s: %w", d.ID, err)
	}
	if _, err := s.kv.Put(ctx, d.ID, data); err != nil {
		return fmt.Errorf("store tenant %s: %w", d.ID, err)
	}
	return nil
}

// Get reads one document. It returns ErrNotFound, wrapped, when there is none.
func (s *Store) Get(ctx context.Context, id string) (*tenant.Document, error) {
	if !tenant.ValidID(id) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	entry, err := s.kv.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	if err != nil {
		return nil, fmt.Errorf("read tenant %s: %w", id, err)
	}
	return decode(entry)
}

// Delete removes a document; whoever watches sees its tenant go. It returns ErrNotFound, wrapped, when there is none. What the tenant
// has in the streams stays there, and Put brings the tenant back.
func (s *Store) Delete(ctx context.Context, id string) error {
	if !tenant.ValidID(id) {
		return fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	_, err := s.kv.Get(ctx, id) // not Store.Get: a document that cannot be read can be deleted
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return fmt.Errorf("%w: %q", ErrNotFound, id)
	}
	if err == nil {
		err = s.kv.Delete(ctx, id)
	}
	if err != nil {
		return fmt.Errorf("delete tenant %s: %w", id, err)
	}
	return nil
}

// List returns the ids of all tenants, sorted.
func (s *Store) List(ctx context.Context) ([]string, error) {
	lister, err := s.kv.ListKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("list tenants: %w", err)
	}
	var ids []string
	for id := range lister.Keys() {
		ids = append(ids, id)
	}
	if err := ctx.Err(); err != nil { // the lister ends early then, without saying so
		return nil, fmt.Errorf("list tenants: %w", err)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func decode(entry jetstream.KeyValueEntry) (*tenant.Document, error) {
	var d tenant.Document
	if err := json.Unmarshal(entry.Value(), &d); err != nil {
		return nil, fmt.Errorf("decode tenant %s: %w", entry.Key(), err)
	}
	if d.ID != entry.Key() { // one tenant must not pass for another (R-TEN)
		return nil, fmt.Errorf("decode tenant %s: the document is of %q", entry.Key(), d.ID)
	}
	return &d, nil
}
