package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Follower is told what the stream holds.
type Follower interface {
	// Backlog is called once, first, with the number of messages that were there at the start.
	Backlog(n uint64)
	// Message is called for each message, in the order of the stream. err is ErrInvalid, wrapped, when it is not an event; e then
	// only names the tenant and vehicle. remaining is how many more are waiting.
	Message(e Event, err error, remaining uint64)
}

// Follow tells f the last message of every vehicle and then each new one, until ctx is done. It outlives a lost connection;
// it returns an error when it cannot start or the connection was closed for good.
func (l *Log) Follow(ctx context.Context, f Follower) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subjectPrefix + "*.*"}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", StreamName, err)
	}
	f.Backlog(consumer.CachedInfo().NumPending)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		if ctx.Err() != nil {
			return
		}
		e, err := Decode(msg.Subject(), msg.Headers(), msg.Data())
		meta, metaErr := msg.Metadata()
		if metaErr != nil { // the library has read the same reply subject before
			return
		}
		f.Message(e, err, meta.NumPending)
	})
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", StreamName, err)
	}
	select {
	case <-ctx.Done():
		// While the broker is away the library holds the lock that Stop needs; nobody has to wait for that.
		go consuming.Stop()
		return nil
	case <-consuming.Closed():
		return fmt.Errorf("follow stream %s: %w", StreamName, errors.New("the connection is closed"))
	}
}
