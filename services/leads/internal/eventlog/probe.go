package eventlog

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/leads/internal/domain"
)

// errCodeRollup is the broker's for a rollup that it cannot do.
const errCodeRollup jetstream.ErrorCode = 10111

// errUnknownKey says that the broker does not know the message id.
var errUnknownKey = errors.New("nothing is recorded under the key")

// Recorded looks for what a retry under the key is answered with; found is false when nothing was recorded within the duplicate window.
// It takes one round trip, whatever the log holds, and a second one when there is something. ctx needs a deadline.
func (l *Log) Recorded(ctx context.Context, tenant string, key idemkey.Digest) (r domain.Recorded, found bool, err error) {
	ack, err := insist(ctx, func(ctx context.Context) (*jetstream.PubAck, error) {
		return l.probe(ctx, subject(tenant, submitted.name), key)
	})
	if errors.Is(err, errUnknownKey) {
		return domain.Recorded{}, false, nil
	}
	if err != nil {
		return domain.Recorded{}, false, fmt.Errorf("ask for an earlier lead: %w", err)
	}
	e, err := l.at(ctx, ack.Sequence)
	if err != nil {
		return domain.Recorded{}, false, fmt.Errorf("read an earlier lead: %w", err)
	}
	r, err = e.recorded()
	return r, err == nil, err
}

// probe asks the broker whether it knows the key's message id, and returns the acknowledgement of the message that it knows, or
// errUnknownKey. It sends a message that can never be stored: its rollup is of no kind that there is. The broker looks for the id
// first, standalone and in a cluster alike. (It must not be asked with an expected last message id: a replicated stream then stops to
// take messages.)
func (l *Log) probe(ctx context.Context, subject string, key idemkey.Digest) (*jetstream.PubAck, error) {
	msg := nats.NewMsg(subject)
	msg.Header.Set(jetstream.MsgRollup, "probe")
	ack, err := l.publish(ctx, msg, key)
	var api *jetstream.APIError
	switch {
	case errors.As(err, &api) && api.ErrorCode == errCodeRollup:
		return nil, errUnknownKey
	case err != nil:
		return nil, err
	case !ack.Duplicate:
		return nil, fmt.Errorf("the broker stored a question as message %d of stream %s", ack.Sequence, Stream)
	default:
		return ack, nil
	}
}
