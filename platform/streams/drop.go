package streams

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// dropWithin bounds the deletion of a consumer, for which nobody should wait long.
const dropWithin = 2 * time.Second

// Drop deletes an ordered consumer whose messages have been stopped, also when ctx is done. The broker would keep it for five minutes
// after its last reader, and takes no more than 1,000 of a stream unless it is configured otherwise; one that cannot be deleted, because
// the broker is away, ends like that.
func Drop(ctx context.Context, stream jetstream.Stream, consumer jetstream.Consumer) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
	defer stop()
	_ = stream.DeleteConsumer(ctx, consumer.CachedInfo().Name)
}
