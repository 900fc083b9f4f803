package cursor

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

const (
	keyBucket = "INVENTORY_KEYS"
	keyName   = "cursor"
	keyLen    = 32 // bytes
)

// Key returns the signing key that all replicas share. The first replica creates it; it survives restarts.
func Key(ctx context.Context, js jetstream.JetStream) ([]byte, error) {
	kv, err := streams.OpenBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: keyBucket, Description: "Signing keys of the inventory service", Storage: jetstream.FileStorage,
	})
	if err != nil {
		return nil, err
	}
	fresh := make([]byte, keyLen)
	if _, err := rand.Read(fresh); err != nil {
		return nil, fmt.Errorf("make cursor key: %w", err)
	}
	if _, err = kv.Create(ctx, keyName, fresh); err == nil {
		return fresh, nil
	}
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return nil, fmt.Errorf("store cursor key: %w", err)
	}
	entry, err := kv.Get(ctx, keyName)
	if err != nil {
		return nil, fmt.Errorf("read cursor key: %w", err)
	}
	if len(entry.Value()) < keyLen {
		return nil, fmt.Errorf("cursor key in bucket %s is shorter than %d bytes", keyBucket, keyLen)
	}
	return entry.Value(), nil
}
