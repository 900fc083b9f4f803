package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// readsAtOnce is how many messages are asked for at once, so that the way to the broker costs little.
const readsAtOnce = 32

// States reads the events at sequences of the stream. One that the stream keeps no more, or that is not valid, is nil.
func (l *Log) States(ctx context.Context, sequences []uint64) ([]*Event, error) {
	events := make([]*Event, len(sequences))
	readers, ctx := errgroup.WithContext(ctx)
	readers.SetLimit(readsAtOnce)
	for i, seq := range sequences {
		readers.Go(func() error {
			e, err := l.state(ctx, seq)
			events[i] = e
			return err
		})
	}
	if err := readers.Wait(); err != nil {
		return nil, err
	}
	return events, nil
}

func (l *Log) state(ctx context.Context, seq uint64) (*Event, error) {
	msg, err := l.stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read event %d: %w", seq, err)
	}
	e, err := Decode(msg.Subject, msg.Header, msg.Data)
	if err != nil {
		return nil, nil
	}
	return &e, nil
}
