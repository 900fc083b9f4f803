package world

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// The stream of inventory events and its subjects, as docs/feeds.md states them.
const (
	stream        = "INVENTORY"
	subjectPrefix = "inventory.v1."
)

// Deliver reads the last message of every vehicle as a starting replica does, and does nothing with them: the rate is the most that
// the broker gives. It returns the number of messages and the time from the first request to the last message.
func Deliver(ctx context.Context, js jetstream.JetStream) (messages int, took time.Duration, err error) {
	start := time.Now()
	err = last(ctx, js, subjectPrefix+"*.*", func([]byte) error {
		messages++
		return nil
	})
	return messages, time.Since(start), err
}

// Vehicles returns the state of a tenant's vehicles in the stream, as JSON.
func Vehicles(ctx context.Context, js jetstream.JetStream, tenant string) ([][]byte, error) {
	var vehicles [][]byte
	err := last(ctx, js, subjectPrefix+tenant+".*", func(data []byte) error {
		var event struct{ Vehicle json.RawMessage }
		if err := json.Unmarshal(data, &event); err != nil {
			return fmt.Errorf("read event: %w", err)
		}
		vehicles = append(vehicles, event.Vehicle)
		return nil
	})
	return vehicles, err
}

// createWithin bounds the creation of a consumer, for which the broker looks up every subject.
const createWithin = 2 * time.Minute

// last reads the last message of every subject under a filter.
func last(ctx context.Context, js jetstream.JetStream, filter string, message func(data []byte) error) error {
	create, stop := context.WithTimeout(ctx, createWithin)
	defer stop()
	consumer, err := js.OrderedConsumer(create, stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{filter}, DeliverPolicy: jetstream.DeliverLastPerSubjectPolicy,
	})
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	if consumer.CachedInfo().NumPending == 0 {
		return nil
	}
	done := make(chan error, 1)
	finish := func(err error) {
		select {
		case done <- err:
		default:
		}
	}
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		meta, err := msg.Metadata()
		if err == nil {
			err = message(msg.Data())
		}
		if err != nil || meta.NumPending == 0 {
			finish(err)
		}
	})
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	defer consuming.Stop()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("read stream %s: %w", stream, ctx.Err())
	}
}
