package eventlog

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

// ahead is how many events are fetched ahead. Leads may be near 1 MiB each, and a client that is sent more than it keeps (64 MiB) loses
// some and has to fetch them again.
const ahead = 32

// Follow hands every event of a tenant, or of all for "", to each in order until ctx is done, and then returns nil. It passes over
// a message that is not an event, as anyone who may publish can put there, and tells the log.
func (l *Log) Follow(ctx context.Context, tenant string, log *slog.Logger, each func(Entry) error) error {
	if tenant == "" {
		tenant = "*"
	}
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{subject(tenant, "*")}})
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	defer streams.Drop(ctx, l.stream, consumer)
	messages, err := consumer.Messages(jetstream.PullMaxMessages(ahead))
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow stream %s: %w", Stream, err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return fmt.Errorf("follow stream %s: %w", Stream, err)
		}
		e, err := entry(meta.Sequence.Stream, msg.Subject(), msg.Headers(), msg.Data())
		if err != nil {
			log.WarnContext(ctx, "a message among the leads was passed over", "sequence", meta.Sequence.Stream,
				"subject", msg.Subject(), "error", err)
			continue
		}
		if err := each(e); err != nil {
			return err
		}
	}
}
