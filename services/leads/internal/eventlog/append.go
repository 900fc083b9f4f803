package eventlog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/streams"
	"forecourt.internal/services/leads/internal/domain"
)

var (
	// errAway and errLate: nothing was sent.
	errAway = fmt.Errorf("the broker is not connected: %w", domain.ErrNotRecorded)
	errLate = fmt.Errorf("the time to send in is over: %w", domain.ErrNotRecorded)
	// errLost: the same after something was sent.
	errLost = errors.New("no more can be sent, and what was sent before may be recorded")
)

// AppendFirst records the lead as the first event under the key, and returns what the log holds under it: this lead, or the one
// that was recorded first. With a booking the lead and the day's ledger go into the log together or not at all;
// domain.ErrDayChanged says that another booking of the day came first. domain.ErrNotRecorded says that nothing left this process. A
// *contract.Error says that the broker takes no event of the lead's size. Any other error says that the outcome is unknown, the lead may
// have been recorded; doing the same again tells. ctx needs a deadline.
func (l *Log) AppendFirst(ctx context.Context, key idemkey.Digest, lead domain.Lead, booking *domain.Booking) (domain.Recorded, error) {
	e, err := firstEvent(lead)
	if err != nil {
		return domain.Recorded{}, err
	}
	msg := e.Msg(subject(lead.Tenant, kindOf(lead).name))
	var send func(context.Context) (*jetstream.PubAck, error)
	if booking == nil {
		send = func(ctx context.Context) (*jetstream.PubAck, error) { return l.publish(ctx, msg, key) }
	} else {
		ledger, err := bookedEvent(lead, *booking)
		if err != nil {
			return domain.Recorded{}, err
		}
		send = func(ctx context.Context) (*jetstream.PubAck, error) {
			return l.publishBoth(ctx, msg, key, ledger.Msg(booking.Subject), booking.Last)
		}
	}
	ack, err := insist(ctx, send)
	if errors.Is(err, nats.ErrMaxPayload) && int64(msg.Size()) > l.js.Conn().MaxPayload() { // else the ledger is too large
		return domain.Recorded{}, domain.TooLarge()
	}
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("publish lead %s: %w", lead.ID, err)
	}
	if !ack.Duplicate {
		return domain.Recorded{
			LeadID: lead.LeadID(), Attempt: lead.ID, Fingerprint: lead.Fingerprint, Response: lead.Response,
		}, nil
	}
	first, err := l.at(ctx, ack.Sequence)
	if err != nil {
		return domain.Recorded{}, fmt.Errorf("read the event that lead %s duplicates: %w", lead.ID, err)
	}
	return first.recorded()
}

// maySend returns an error when what is sent now could arrive long after this attempt has ended and another has perhaps been refused: a
// client that is not connected keeps it until the broker is back, and a process that was stopped goes on before it hears of the time.
func (l *Log) maySend(ctx context.Context) error {
	deadline, _ := ctx.Deadline()
	switch {
	case !time.Now().Before(deadline):
		return errLate
	case !l.js.Conn().IsConnected():
		return errAway
	default:
		return nil
	}
}

func (l *Log) publish(ctx context.Context, msg *nats.Msg, key idemkey.Digest) (*jetstream.PubAck, error) {
	if err := l.maySend(ctx); err != nil {
		return nil, err
	}
	return l.js.PublishMsg(ctx, msg, jetstream.WithMsgID(key.String()), jetstream.WithExpectStream(Stream))
}

// publishBoth stores the lead and the ledger of the day that it is booked on, of which last is the ledger's sequence so far. The
// broker looks for the message id before it looks at sequences, so a lead that is there already is told from a day that has changed.
func (l *Log) publishBoth(
	ctx context.Context, lead *nats.Msg, key idemkey.Digest, ledger *nats.Msg, last uint64,
) (*jetstream.PubAck, error) {
	if err := l.maySend(ctx); err != nil {
		return nil, err
	}
	lead.Header.Set(jetstream.MsgIDHeader, key.String())
	lead.Header.Set(jetstream.ExpectedStreamHeader, Stream)
	ledger.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(last, 10))
	ack, err := streams.PublishBatch(ctx, l.js, lead, ledger)
	switch {
	case streams.IsWrongLast(err):
		return nil, domain.ErrDayChanged
	case streams.IsDuplicate(err):
		ack, err := l.probe(ctx, lead.Subject, key)
		if errors.Is(err, domain.ErrNotRecorded) {
			err = errLost // the question was not sent; the lead is there
		}
		return ack, err
	case err != nil:
		return nil, err
	default:
		ack.Sequence-- // it is the ledger's; the lead is before it
		return ack, nil
	}
}

const (
	// pause is how long an attempt waits after a broker that answers with an error, such as one that elects a leader.
	pause = 50 * time.Millisecond
	// shortest is the time that a broker gets to answer at least.
	shortest = 200 * time.Millisecond
)

// insist sends until there is an answer or no time is left: each time with half of what is left, so that an acknowledgement that is
// lost costs no more than that. The message id makes sending again harmless.
func insist(ctx context.Context, send func(context.Context) (*jetstream.PubAck, error)) (*jetstream.PubAck, error) {
	var failures []error
	for {
		ack, err := sendWithin(ctx, send)
		if err == nil {
			return ack, nil
		}
		if errors.Is(err, domain.ErrNotRecorded) && len(failures) > 0 {
			err = errLost // what was sent before may be in the log
		}
		failures = append(failures, err)
		if final(err) || !wait(ctx, pause) {
			return nil, errors.Join(failures...)
		}
	}
}

func sendWithin(ctx context.Context, send func(context.Context) (*jetstream.PubAck, error)) (*jetstream.PubAck, error) {
	deadline, _ := ctx.Deadline()
	ctx, cancel := context.WithTimeout(ctx, max(time.Until(deadline)/2, shortest))
	defer cancel()
	return send(ctx)
}

// transient are refusals of a broker in the middle of something: another message of the same id on its way through the cluster, a batch
// that lost its beginning to a change of leader, too many batches at once.
var transient = []jetstream.ErrorCode{10158, 10176, 10210}

// final says that sending again is of no use.
func final(err error) bool {
	var api *jetstream.APIError
	for _, end := range []error{domain.ErrNotRecorded, domain.ErrDayChanged, errLost, errUnknownKey, nats.ErrMaxPayload} {
		if errors.Is(err, end) {
			return true
		}
	}
	return errors.As(err, &api) && api.Code >= 400 && api.Code < 500 && !slices.Contains(transient, api.ErrorCode)
}

// wait returns false when there is no time for another answer after it.
func wait(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < d+shortest {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
