package eventlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// pullMessages is how many messages the broker may send ahead: enough that it never waits for the next request, few enough that they
// do not pile up in memory.
const pullMessages = 1000

// Message is a message of the stream that has not been decoded, so that this can be done in parallel.
type Message struct {
	Seq uint64 // of the stream
	// Waiting is how many more messages the broker had to send when it sent this one.
	Waiting uint64
	subject string
	header  nats.Header
	data    []byte
}

// IsConfirmation says which of Event and Confirmation decodes the message.
func (m Message) IsConfirmation() bool { return IsConfirmation(m.subject) }

// Event decodes the message as Decode does.
func (m Message) Event() (Event, error) { return Decode(m.subject, m.header, m.data) }

// Confirmation decodes the message as DecodeConfirmation does.
func (m Message) Confirmation() (Confirmation, error) {
	return DecodeConfirmation(m.subject, m.header, m.data)
}

// Follower reads the last message of every subject and then each new one.
type Follower struct {
	log      *Log
	consumer jetstream.Consumer
	created  time.Time // of the stream
	shorter  int       // answers in a row by which the stream ends before what was read
	// Start is the stream's last sequence when the reading began.
	Start uint64
	// Backlog is how many messages there were to read then.
	Backlog uint64
}

// Follow prepares to read the stream.
func (l *Log) Follow(ctx context.Context) (*Follower, error) {
	info, err := l.stream.Info(ctx)
	if err != nil {
		return nil, fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	consumer, err := l.consumer(ctx, subjectPrefix+"*.*", jetstream.DeliverLastPerSubjectPolicy)
	if err != nil {
		return nil, fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	return &Follower{
		log: l, consumer: consumer, created: info.Created, Start: info.State.LastSeq, Backlog: consumer.CachedInfo().NumPending,
	}, nil
}

// Run calls message for each message, in the order of the stream and from one goroutine, until ctx is done. It outlives a lost
// connection: the broker then goes on after the last message that came. It returns an error when it cannot start or when the connection
// was closed for good.
func (f *Follower) Run(ctx context.Context, message func(Message)) error {
	consuming, err := f.consumer.Consume(func(msg jetstream.Msg) {
		meta, err := msg.Metadata()
		if err != nil || ctx.Err() != nil { // the library has read the same reply subject before
			return
		}
		message(Message{meta.Sequence.Stream, meta.NumPending, msg.Subject(), msg.Headers(), msg.Data()})
	}, jetstream.PullMaxMessages(pullMessages))
	if err != nil {
		return fmt.Errorf("follow stream %s: %w", Stream, err)
	}
	select {
	case <-ctx.Done():
		// While the broker is away the library holds the lock that Stop needs; nobody has to wait for that.
		go consuming.Stop()
		return nil
	case <-consuming.Closed():
		return fmt.Errorf("follow stream %s: %w", Stream, errors.New("the connection is closed"))
	}
}

// ErrReplaced says that the stream is another than the one that was followed: it was deleted and created again, or restored from an
// older copy. What was read of it is worth nothing.
var ErrReplaced = errors.New("the stream was replaced by another")

// maxShorter is how many answers in a row must say that the stream ends before what was read of it, before that is believed: a new
// leader of a replicated stream may not have caught up with what the old one had sent.
const maxShorter = 10

// Last asks the broker for the sequence up to which there is something to read beyond the sequence that was read. The newest
// messages of a stream can be deleted or purged before they were read, and then they do not count. It returns ErrReplaced, wrapped,
// when the stream is not the same any more. It is for one goroutine.
func (f *Follower) Last(ctx context.Context, read uint64) (uint64, error) {
	stream, err := f.log.js.Stream(ctx, Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = fmt.Errorf("%w: %w", ErrReplaced, err)
	}
	if err != nil {
		return 0, fmt.Errorf("ask for the end of stream %s: %w", Stream, err)
	}
	info := stream.CachedInfo()
	last := info.State.LastSeq
	if last >= read {
		f.shorter = 0
	} else {
		f.shorter++
	}
	if !info.Created.Equal(f.created) || f.shorter == maxShorter {
		return 0, fmt.Errorf("ask for the end of stream %s: %w", Stream, ErrReplaced)
	}
	if last <= read {
		return last, nil
	}
	if f.isDelivered(ctx, read) {
		return read, nil
	}
	return last, nil
}

// isDelivered says whether the broker has sent all there is, and nothing after the sequence that was read. While the consumer is being
// replaced it cannot be asked: the library then holds the lock that Info needs, whatever ctx says.
func (f *Follower) isDelivered(ctx context.Context, read uint64) bool {
	answer := make(chan bool, 1)
	go func() {
		info, err := f.consumer.Info(ctx)
		answer <- err == nil && info.NumPending == 0 && info.Delivered.Stream <= read
	}()
	select {
	case delivered := <-answer:
		return delivered
	case <-ctx.Done():
		return false
	}
}
