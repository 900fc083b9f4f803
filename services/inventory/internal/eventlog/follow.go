package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Follow reads the last message of every vehicle and then each new one, in the order of the stream, until ctx is done. start is
// called once, first, with the number of messages that are there; message for each of them, with its sequence in the stream and the number of those still
// waiting. Its err is ErrInvalid, wrapped, when the message is not an event; e then only names the tenant and vehicle.
//
// Follow outlives a lost connection; it returns an error when it cannot start or the connection was closed for good.
func (l *Log) Follow(
	ctx context.Context, start func(backlog uint64), message func(seq uint64, e Event, err error, waiting uint64),
) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subjectPrefix + "*.*"}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	start(consumer.CachedInfo().NumPending)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		if ctx.Err() != nil {
			return
		}
		e, err := Decode(msg.Subject(), msg.Headers(), msg.Data())
		meta, metaErr := msg.Metadata()
		if metaErr != nil { // the library has read the same reply subject before
			return
		}
		message(meta.Sequence.Stream, e, err, meta.NumPending)
	})
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	select {
	case <-ctx.Done():
		// While the broker is away the library holds the lock that Stop needs; nobody has to wait for that.
		go consuming.Stop()
		return nil
	case <-consuming.Closed():
		return fmt.Errorf("follow stream %s: %w", Stream, errors.New("the connection is closed"))
	}
}
