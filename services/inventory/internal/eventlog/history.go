package eventlog

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Stored is an event of the stream and its sequence.
type Stored struct {
	Seq   uint64
	Event Event
}

// History returns the valid events of a vehicle that the stream still keeps, oldest first.
func (l *Log) History(ctx context.Context, tenant, vehicleID string) ([]Stored, error) {
	var events []Stored
	err := l.each(ctx, subject(tenant, vehicleID), jetstream.DeliverAllPolicy, func(seq uint64, e Event, err error) {
		if err == nil {
			events = append(events, Stored{seq, e})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read history of vehicle %s: %w", vehicleID, err)
	}
	return events, nil
}

// each reads the messages that the stream holds now under a subject filter. err is ErrInvalid, wrapped, for one that is not a
// valid event; e then only names the tenant and vehicle.
func (l *Log) each(ctx context.Context, filter string, from jetstream.DeliverPolicy, f func(seq uint64, e Event, err error)) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}, DeliverPolicy: from})
	if err != nil {
		return err
	}
	if consumer.CachedInfo().NumPending == 0 {
		return nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		e, err := Decode(msg.Subject(), msg.Headers(), msg.Data())
		f(meta.Sequence.Stream, e, err)
		if meta.NumPending == 0 {
			return nil
		}
	}
}
