package eventlog

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Last is the newest message of one vehicle.
type Last struct {
	Seq uint64 // of the stream
	// Event is nil when the message is not a valid event.
	Event *Event
}

// OnSale says whether the vehicle is listed.
func (l Last) OnSale() bool { return l.Event != nil && l.Event.Kind != Delisted }

// Current reads the state of a tenant's stock from the stream, by vehicle id.
func (l *Log) Current(ctx context.Context, tenant string) (map[string]Last, error) {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject(tenant, "*")}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
	}
	current := make(map[string]Last)
	if consumer.CachedInfo().NumPending == 0 {
		return current, nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
	}
	defer messages.Stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
		}
		meta, err := msg.Metadata()
		if err != nil {
			return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
		}
		e, err := Decode(msg.Subject(), msg.Headers(), msg.Data())
		last := Last{Seq: meta.Sequence.Stream}
		if err == nil {
			last.Event = &e
		}
		current[e.VehicleID] = last
		if meta.NumPending == 0 {
			return current, nil
		}
	}
}
