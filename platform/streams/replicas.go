package streams

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

// Replicated returns js with a default for the streams and buckets that are created through it: they are kept by that many servers
// of the cluster. Those that are there stay as they are.
func Replicated(js jetstream.JetStream, replicas int) jetstream.JetStream {
	return replicated{js, replicas}
}

type replicated struct {
	jetstream.JetStream
	replicas int
}

func (r replicated) CreateStream(ctx context.Context, cfg jetstream.StreamConfig) (jetstream.Stream, error) {
	if cfg.Replicas == 0 {
		cfg.Replicas = r.replicas
	}
	return r.JetStream.CreateStream(ctx, cfg)
}

func (r replicated) CreateKeyValue(ctx context.Context, cfg jetstream.KeyValueConfig) (jetstream.KeyValue, error) {
	if cfg.Replicas == 0 {
		cfg.Replicas = r.replicas
	}
	return r.JetStream.CreateKeyValue(ctx, cfg)
}
