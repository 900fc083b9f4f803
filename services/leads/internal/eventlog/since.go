package eventlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
	"forecourt.internal/services/leads/internal/domain"
)

const (
	// submissions is where the first events of leads are.
	submissions = "lead.v1.*.submitted"
	// aheadMessages and aheadBytes are how much the broker may send ahead of the reader: enough that it need not wait, well below the
	// 64 MiB of which a client loses some.
	aheadMessages, aheadBytes = 1000, 16 << 20
)

// Submission is what a submitted event says of its lead.
type Submission struct {
	Tenant string        `json:"tenant"`
	LeadID domain.LeadID `json:"lead_id"`
	// Caller is the scope that submitted it.
	Caller string `json:"caller"`
	// ReceivedAt is when its key was first claimed.
	ReceivedAt time.Time `json:"received_at"`
	// VehicleID is the listing's that was found for the vehicle of interest, or "".
	VehicleID string          `json:"vehicle_id"`
	Request   json.RawMessage `json:"request"`
}

// Arrival is a message among the submitted events, in its turn.
type Arrival struct {
	Submission Submission
	// Err says that the message is no submitted event, as anyone who may publish can put there. It quotes none of its values.
	Err error
	// Sequence is the message's in the stream.
	Sequence uint64
	// Waiting is how many more there were when the broker sent this one.
	Waiting uint64
}

// Submissions reads submitted events.
type Submissions struct {
	stream   jetstream.Stream
	consumer jetstream.Consumer
	from     time.Time
	// Backlog is how many there were to read when the reading was prepared.
	Backlog uint64
}

// Since prepares to read the submitted events of all tenants that were stored from a time on.
func (l *Log) Since(ctx context.Context, from time.Time) (*Submissions, error) {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{submissions}, DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &from,
	})
	if err != nil {
		return nil, fmt.Errorf("read the leads since %s: %w", from.UTC().Format(time.RFC3339), err)
	}
	return &Submissions{stream: l.stream, consumer: consumer, from: from, Backlog: consumer.CachedInfo().NumPending}, nil
}

// Follow calls each for each message, in the order of the stream and from one goroutine, until ctx is done, and then returns nil. It
// outlives a lost connection: the broker goes on after the last message that came. It returns an error when it cannot start or when the
// connection was closed for good.
func (s *Submissions) Follow(ctx context.Context, each func(Arrival)) error {
	consuming, err := s.consumer.Consume(func(msg jetstream.Msg) {
		meta, err := msg.Metadata()
		if err != nil || ctx.Err() != nil { // the library has read the same reply subject before
			return
		}
		a := Arrival{Sequence: meta.Sequence.Stream, Waiting: meta.NumPending}
		a.Submission, a.Err = submission(msg.Subject(), msg.Data())
		each(a)
	}, jetstream.PullMaxMessagesWithBytesLimit(aheadMessages, aheadBytes))
	if err != nil {
		return fmt.Errorf("read leads: %w", err)
	}
	select {
	case <-ctx.Done():
		// While the broker is away the library holds the lock that Stop needs; nobody has to wait for that.
		go func() {
			consuming.Stop()
			streams.Drop(ctx, s.stream, s.consumer)
		}()
		return nil
	case <-consuming.Closed():
		return errors.New("read leads: the connection to the broker is closed")
	}
}

// Over says whether there is nothing to read beyond a sequence. What was to be read can be deleted meanwhile.
func (s *Submissions) Over(ctx context.Context, read uint64) (bool, error) {
	last, err := s.stream.GetLastMsgForSubject(ctx, submissions)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask for the last lead: %w", err)
	}
	return last.Sequence <= read || last.Time.Before(s.from), nil
}

var errNoSubmission = errors.New("its data is not that of a submitted lead")

// submission reads the data of a submitted event, whose tenant is that of its subject (R-TEN).
func submission(subject string, data []byte) (Submission, error) {
	var s Submission
	if json.Unmarshal(data, &s) != nil || s.Caller == "" || s.ReceivedAt.IsZero() || strings.Split(subject, ".")[2] != s.Tenant {
		return Submission{}, errNoSubmission
	}
	if _, err := s.LeadID.Time(); err != nil {
		return Submission{}, errNoSubmission
	}
	return s, nil
}
