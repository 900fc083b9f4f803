package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

const (
	// maxBatch is the broker's default bound of an atomic batch, in messages.
	maxBatch = 1000
	// maxBatchBytes bounds what the broker holds back of one import until a batch is whole.
	maxBatchBytes = 4 << 20
	// minBatch is from how many events a batch is faster than single ones: the broker opens a store of its own for each batch.
	minBatch = 16
)

// batch are messages that are stored all or none, with one sync of the broker's file. On one machine that took 20,000 to 30,000 events
// a second where single ones took 2,000. The broker's asynchronous persistence took 24,000, but it acknowledges what a power cut loses, and
// a stream that exists cannot change to it.
type batch struct {
	log  *Log
	msgs []*nats.Msg
	sent *streams.Batch
}

func (l *Log) sendBatch(msgs []*nats.Msg) (sent, error) {
	b, err := streams.SendBatch(l.js.Conn(), msgs...)
	if err != nil {
		return nil, fmt.Errorf("publish events: %w", err)
	}
	return &batch{l, msgs, b}, nil
}

// answers waits for the broker to commit the batch. One that it refuses is sent again event by event, to learn which of them it
// refuses; so is every batch of a broker that has other bounds than the default.
func (b *batch) answers(ctx context.Context) ([]bool, error) {
	_, err := b.sent.Ack(ctx)
	if errors.As(err, new(*jetstream.APIError)) {
		return b.single(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("publish events: %w", err)
	}
	stored := make([]bool, len(b.msgs))
	for i := range stored {
		stored[i] = true
	}
	return stored, nil
}

func (b *batch) single(ctx context.Context) ([]bool, error) {
	for _, msg := range b.msgs {
		streams.Unbatch(msg)
	}
	s, err := b.log.sendSingles(b.msgs)
	if err != nil {
		return nil, err
	}
	return s.answers(ctx)
}

func (b *batch) abandon() { b.sent.Abandon() }
