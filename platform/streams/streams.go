// Package streams is what the services share of JetStream: opening streams and buckets as a service starts, and knowing a lost race.
package streams

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Open returns the stream, creating it as cfg says when there is none. One that is there is used as the operator has configured it
// (replicas, placement, limits). A stream that another process creates at the same time
// is used like one that was there. A cluster that is not in a state to answer is given 15 seconds.
func Open(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	stream, err := patiently(ctx, func(ctx context.Context) (jetstream.Stream, error) {
		stream, err := js.Stream(ctx, cfg.Name)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			stream, err = js.CreateStream(ctx, cfg)
		}
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			stream, err = js.Stream(ctx, cfg.Name)
		}
		return stream, err
	})
	if err != nil {
		return nil, fmt.Errorf("open stream %s: %w", cfg.Name, err)
	}
	return stream, nil
}

// AllowBatches lets a stream take atomic batches and says whether it does. One that an earlier version created is updated, with nothing
// else changed; a broker that has no batches, or an operator who does not let us change the stream, leaves it as it is.
func AllowBatches(ctx context.Context, js jetstream.JetStream, stream jetstream.Stream) (jetstream.Stream, bool) {
	cfg := stream.CachedInfo().Config
	if cfg.AllowAtomicPublish {
		return stream, true
	}
	cfg.AllowAtomicPublish = true
	updated, err := js.UpdateStream(ctx, cfg)
	if err != nil {
		return stream, false
	}
	return updated, updated.CachedInfo().Config.AllowAtomicPublish
}

// OpenBucket returns the key-value bucket, creating it as cfg says when there is none, as Open does a stream.
func OpenBucket(ctx context.Context, js jetstream.JetStream, cfg jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	bucket, err := patiently(ctx, func(ctx context.Context) (jetstream.KeyValue, error) {
		bucket, err := js.KeyValue(ctx, cfg.Bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			bucket, err = js.CreateKeyValue(ctx, cfg)
		}
		if errors.Is(err, jetstream.ErrBucketExists) {
			bucket, err = js.KeyValue(ctx, cfg.Bucket)
		}
		return bucket, err
	})
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", cfg.Bucket, err)
	}
	return bucket, nil
}

// IsWrongLast says that a subject or key was not at the sequence that a write expected: another write came first. The errors that
// the library has for that are not enough: creating a key, when it loses the race for a deleted one, returns the broker's, and a
// replicated stream has a code of its own.
func IsWrongLast(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
