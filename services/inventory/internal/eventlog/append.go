package eventlog

import (
	"context"
	"fmt"

	"forecourt.internal/platform/streams"
	"github.com/nats-io/nats.go/jetstream"
)

// maxPending is how many events are on their way to the broker at once.
const maxPending = 256

// envelopeRoom is more than the headers of an event and the data around its vehicle take, in bytes.
const envelopeRoom = 4 << 10

// MaxVehicle is how many bytes of JSON the vehicle of an event may have, so that the broker takes the event.
func (l *Log) MaxVehicle() int { return int(l.js.Conn().MaxPayload()) - envelopeRoom }

// Change is an event to append, and the sequence of the vehicle's last message when its state was read (0: none).
type Change struct {
	Event Event
	After uint64
}

// Append publishes changes and waits until the broker has answered for each. stored tells, change by change, whether the broker
// has it; it refuses one, without an error here, when the vehicle's last message is another than After. An error ends the work
// early; what is not stored then may be or not.
func (l *Log) Append(ctx context.Context, changes []Change) (stored []bool, err error) {
	stored = make([]bool, len(changes))
	for start := 0; start < len(changes); start += maxPending {
		end := min(start+maxPending, len(changes))
		if err := l.appendBatch(ctx, changes[start:end], stored[start:end]); err != nil {
			return stored, err
		}
	}
	return stored, nil
}

func (l *Log) appendBatch(ctx context.Context, changes []Change, stored []bool) error {
	acks := make([]jetstream.PubAckFuture, len(changes))
	for i, c := range changes {
		msg, err := c.Event.msg()
		if err != nil {
			return err
		}
		acks[i], err = l.js.PublishMsgAsync(msg,
			jetstream.WithExpectStream(Stream), jetstream.WithExpectLastSequencePerSubject(c.After))
		if err != nil {
			return fmt.Errorf("publish vehicle %s: %w", c.Event.VehicleID, err)
		}
	}
	for i, ack := range acks {
		select {
		case <-ack.Ok():
			stored[i] = true
		case err := <-ack.Err():
			if !streams.IsWrongLast(err) {
				return fmt.Errorf("publish vehicle %s: %w", changes[i].Event.VehicleID, err)
			}
		case <-ctx.Done():
			return fmt.Errorf("publish vehicle %s: %w", changes[i].Event.VehicleID, ctx.Err())
		}
	}
	return nil
}
