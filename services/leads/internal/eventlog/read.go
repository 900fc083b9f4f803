package eventlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/event"
	"forecourt.internal/services/leads/internal/domain"
)

const (
	// clockSkew is how far the broker's clock may be behind the one that lead ids are made by.
	clockSkew = 5 * time.Minute
	// batch is how many headers one request fetches.
	batch = 256
)

var errNotJSON = errors.New("its data is not JSON")

// Entry is one event at its place in the log.
type Entry struct {
	Sequence uint64
	Subject  string
	Event    event.Event
}

// Find looks for the first event of a tenant's lead; found is false when there is none. It reads the headers of the tenant's
// first events from the time in the lead's id on. It returns an error for an id that has another form.
func (l *Log) Find(ctx context.Context, tenant string, id domain.LeadID) (e Entry, found bool, err error) {
	at, err := id.Time()
	if err != nil {
		return Entry{}, false, err
	}
	sequence, err := l.scan(ctx, subject(tenant, submitted.name), at.Add(-clockSkew), func(e event.Event) bool {
		return e.Subject == string(id)
	})
	if err != nil {
		return Entry{}, false, fmt.Errorf("look for lead %s: %w", id, err)
	}
	if sequence == 0 {
		return Entry{}, false, nil
	}
	e, err = l.at(ctx, sequence)
	return e, err == nil, err
}

// scan returns the sequence of the first event of a subject since a time that matches, or 0.
func (l *Log) scan(ctx context.Context, subject string, since time.Time, match func(event.Event) bool) (uint64, error) {
	consumer, err := l.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubject: subject, DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &since,
		AckPolicy: jetstream.AckNonePolicy, HeadersOnly: true, MemoryStorage: true, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return 0, err
	}
	defer l.stream.DeleteConsumer(context.WithoutCancel(ctx), consumer.CachedInfo().Name) // else it goes when it is inactive
	for left := consumer.CachedInfo().NumPending; left > 0; {
		messages, err := consumer.Fetch(int(min(left, batch)), jetstream.FetchContext(ctx))
		if err != nil {
			return 0, err
		}
		for msg := range messages.Messages() {
			meta, err := msg.Metadata()
			if err != nil {
				return 0, err
			}
			left = meta.NumPending
			if e, err := event.FromMsg(msg.Headers(), nil); err == nil && match(e) {
				return meta.Sequence.Stream, nil
			}
		}
		if err := messages.Error(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// at reads the event at a sequence.
func (l *Log) at(ctx context.Context, sequence uint64) (Entry, error) {
	msg, err := l.stream.GetMsg(ctx, sequence)
	if err != nil {
		return Entry{}, fmt.Errorf("read event %d of stream %s: %w", sequence, Stream, err)
	}
	return entry(sequence, msg.Subject, msg.Header, msg.Data)
}

// entry reads a message. It returns an error for one that is not an event.
func entry(sequence uint64, subject string, h nats.Header, data []byte) (Entry, error) {
	e, err := event.FromMsg(h, data)
	if err == nil && !json.Valid(data) {
		err = errNotJSON
	}
	if err != nil {
		return Entry{}, fmt.Errorf("event %d of stream %s: %w", sequence, Stream, err)
	}
	return Entry{Sequence: sequence, Subject: subject, Event: e}, nil
}
