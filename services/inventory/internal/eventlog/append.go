package eventlog

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
)

const (
	// maxSingles is how many events go out together when each is acknowledged by itself.
	maxSingles = 256
	// maxSent is how many batches, or groups of singles, are on their way to the broker at once: it stores one while the next arrives.
	maxSent = 3
	// answerWithin is how long the broker may take over what was sent first; it stores far more in that time.
	answerWithin = 30 * time.Second
	// envelopeRoom is more than the headers of an event and the data around its vehicle take, in bytes.
	envelopeRoom = 4 << 10
)

var errNoAnswer = fmt.Errorf("the broker did not answer within %s", answerWithin)

// MaxVehicle is how many bytes of JSON the vehicle of an event may have, so that the broker takes the event.
func (l *Log) MaxVehicle() int { return int(l.js.Conn().MaxPayload()) - envelopeRoom }

// Change is an event to append, and the sequence of the vehicle's last message when its state was read (0: none).
type Change struct {
	Event Event
	After uint64
}

func (c Change) msg() (*nats.Msg, error) {
	msg, err := c.Event.msg()
	if err != nil {
		return nil, err
	}
	msg.Header[jetstream.ExpectedStreamHeader] = []string{Stream}
	msg.Header[jetstream.ExpectedLastSubjSeqHeader] = []string{fmt.Sprint(c.After)}
	return msg, nil
}

// Append publishes changes, each of another vehicle, and returns when the broker has stored or refused each. answered is told so in
// their order, with the number of the change from 0. The broker refuses a change, without an error here, when the vehicle's last
// message is another than After. An error ends the work early; what was not answered by then may be stored or not.
//
// Changes are taken as they are sent: no more than a few thousand are in memory. They go in atomic batches where the stream takes
// them, for which the broker syncs its file once; otherwise it does so for every event.
func (l *Log) Append(ctx context.Context, changes iter.Seq[Change], answered func(n int, stored bool)) error {
	a := appender{log: l, answered: answered}
	defer a.abandon()
	for c := range changes {
		if err := a.add(ctx, c); err != nil {
			return err
		}
	}
	if err := a.send(ctx); err != nil {
		return err
	}
	for len(a.sent) > 0 {
		if err := a.await(ctx); err != nil {
			return err
		}
	}
	return nil
}

// appender is one Append.
type appender struct {
	log      *Log
	answered func(n int, stored bool)
	count    int // of changes that were answered
	next     []*nats.Msg
	size     int // of the data of next, in bytes
	sent     []sent
}

// sent is a group of messages that wait for the broker's answer.
type sent interface {
	// answers returns which of the messages are stored.
	answers(ctx context.Context) ([]bool, error)
	abandon()
}

func (a *appender) add(ctx context.Context, c Change) error {
	msg, err := c.msg()
	if err != nil {
		return err
	}
	limit := maxSingles
	if a.log.batches {
		limit = maxBatch
	}
	if len(a.next) == limit || a.size+len(msg.Data) > maxBatchBytes {
		if err := a.send(ctx); err != nil {
			return err
		}
	}
	a.next, a.size = append(a.next, msg), a.size+len(msg.Data)
	return nil
}

func (a *appender) send(ctx context.Context) error {
	if len(a.next) == 0 {
		return nil
	}
	if len(a.sent) == maxSent {
		if err := a.await(ctx); err != nil {
			return err
		}
	}
	send := a.log.sendSingles
	if a.log.batches && len(a.next) >= minBatch {
		send = a.log.sendBatch
	}
	s, err := send(a.next)
	if err != nil {
		return err
	}
	a.sent, a.next, a.size = append(a.sent, s), nil, 0
	return nil
}

// await waits for the answer to what was sent first.
func (a *appender) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, answerWithin, errNoAnswer)
	defer cancel()
	stored, err := a.sent[0].answers(ctx)
	if err != nil {
		return err
	}
	a.sent = a.sent[1:]
	for _, ok := range stored {
		a.answered(a.count, ok)
		a.count++
	}
	return nil
}

func (a *appender) abandon() {
	for _, s := range a.sent {
		s.abandon()
	}
}

// singles are messages that are stored and acknowledged each by itself.
type singles []jetstream.PubAckFuture

func (l *Log) sendSingles(msgs []*nats.Msg) (sent, error) {
	acks := make(singles, len(msgs))
	for i, msg := range msgs {
		var err error
		if acks[i], err = l.js.PublishMsgAsync(msg); err != nil {
			return nil, fmt.Errorf("publish %s: %w", msg.Subject, err)
		}
	}
	return acks, nil
}

func (s singles) answers(ctx context.Context) ([]bool, error) {
	stored := make([]bool, len(s))
	for i, ack := range s {
		select {
		case <-ack.Ok():
			stored[i] = true
		case err := <-ack.Err():
			if !streams.IsWrongLast(err) {
				return nil, fmt.Errorf("publish %s: %w", ack.Msg().Subject, err)
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("publish %s: %w", ack.Msg().Subject, context.Cause(ctx))
		}
	}
	return stored, nil
}

func (s singles) abandon() {}

// ErrTooLarge says that an event is larger than the broker takes.
var ErrTooLarge = errors.New("the event is larger than the broker takes")

// Confirm publishes a confirmation. The broker refuses it, without an error here, when the last one is not at the sequence after
// (0: there is none). It returns ErrTooLarge for one with too many others.
func (l *Log) Confirm(ctx context.Context, c Confirmation, after uint64) (stored bool, err error) {
	msg, err := c.msg()
	if err != nil {
		return false, err
	}
	if int64(msg.Size()) > l.js.Conn().MaxPayload()-envelopeRoom {
		return false, ErrTooLarge
	}
	_, err = l.js.PublishMsg(ctx, msg, jetstream.WithExpectStream(Stream), jetstream.WithExpectLastSequencePerSubject(after))
	switch {
	case streams.IsWrongLast(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("publish %s: %w", msg.Subject, err)
	}
	return true, nil
}
