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
	current := make(map[string]Last)
	err := l.each(ctx, subject(tenant, "*"), jetstream.DeliverLastPerSubjectPolicy, func(seq uint64, e Event, err error) {
		last := Last{Seq: seq}
		if err == nil {
			last.Event = &e
		}
		current[e.VehicleID] = last
	})
	if err != nil {
		return nil, fmt.Errorf("read stock of tenant %s: %w", tenant, err)
	}
	return current, nil
}
