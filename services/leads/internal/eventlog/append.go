package eventlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/leads/internal/domain"
)

var errAway = errors.New("the broker is not connected")

// AppendFirst records the lead as the first event under the key, and returns what the log holds under it: this lead, or the one
// that was recorded first. An error says that the outcome is unknown, the lead may have been recorded; doing the same again
// tells. ctx needs a deadline.
func (l *Log) AppendFirst(ctx context.Context, key idemkey.Digest, lead domain.Lead) (domain.Recorded, error) {
	e, err := submittedEvent(lead)
	if err != nil {
		return domain.Recorded{}, err
	}
	ack, err := l.publishTwice(ctx, e.Msg(subject(lead.Tenant, submitted)), key.String())
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("publish lead %s: %w", lead.ID, err)
	}
	if !ack.Duplicate {
		return domain.Recorded{LeadID: lead.ID, Fingerprint: lead.Fingerprint, Response: lead.Response}, nil
	}
	first, err := l.at(ctx, ack.Sequence)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("read the event that lead %s duplicates: %w", lead.ID, err)
	}
	return first.recorded()
}

// publishTwice publishes, and when no acknowledgement comes in half of the time, once more. The message id makes the second
// one harmless when only the acknowledgement was lost.
func (l *Log) publishTwice(ctx context.Context, msg *nats.Msg, id string) (*jetstream.PubAck, error) {
	deadline, _ := ctx.Deadline()
	half, cancel := context.WithTimeout(ctx, time.Until(deadline)/2)
	defer cancel()
	ack, first := l.publish(half, msg, id)
	if first == nil {
		return ack, nil
	}
	ack, second := l.publish(ctx, msg, id)
	if second != nil {
		return nil, errors.Join(first, second)
	}
	return ack, nil
}

func (l *Log) publish(ctx context.Context, msg *nats.Msg, id string) (*jetstream.PubAck, error) {
	// A client that is not connected would keep the message and send it whenever the broker is back, long after this attempt
	// has ended and another has perhaps been refused.
	if !l.js.Conn().IsConnected() {
		return nil, errAway
	}
	return l.js.PublishMsg(ctx, msg, jetstream.WithMsgID(id), jetstream.WithExpectStream(Stream))
}
