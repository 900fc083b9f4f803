package eventlog

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

// Stored is an event of the stream and its sequence.
type Stored struct {
	Seq   uint64
	Event Event
}

// History returns the valid events of a vehicle that the stream still keeps, oldest first.
func (l *Log) History(ctx context.Context, tenant, vehicleID string) ([]Stored, error) {
	var events []Stored
	err := l.each(ctx, subject(tenant, vehicleID), jetstream.DeliverAllPolicy, func(m Message) {
		if e, err := m.Event(); err == nil {
			events = append(events, Stored{m.Seq, e})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read history of vehicle %s: %w", vehicleID, err)
	}
	return events, nil
}

// StoredConfirmation is a confirmation of the stream and its sequence.
type StoredConfirmation struct {
	Seq          uint64
	Confirmation Confirmation
}

// Confirmations returns the valid confirmations of a tenant that the stream still keeps, oldest first.
func (l *Log) Confirmations(ctx context.Context, tenant string) ([]StoredConfirmation, error) {
	var confirmations []StoredConfirmation
	err := l.each(ctx, subject(tenant, confirmedToken), jetstream.DeliverAllPolicy, func(m Message) {
		if c, err := m.Confirmation(); err == nil {
			confirmations = append(confirmations, StoredConfirmation{m.Seq, c})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read confirmations of tenant %s: %w", tenant, err)
	}
	return confirmations, nil
}

// each reads the messages that the stream holds now under a subject filter, or the last of each subject, in the order of the stream.
func (l *Log) each(ctx context.Context, filter string, from jetstream.DeliverPolicy, f func(Message)) error {
	consumer, err := l.consumer(ctx, filter, from)
	if err != nil {
		return err
	}
	defer streams.Drop(ctx, l.stream, consumer)
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
		f(Message{meta.Sequence.Stream, meta.NumPending, msg.Subject(), msg.Headers(), msg.Data()})
		if meta.NumPending == 0 {
			return nil
		}
	}
}
