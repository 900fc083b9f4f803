package streams

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// openWithin bounds opening: a cluster that has just started, or lost a server, answers again by then.
	openWithin = 15 * time.Second
	// askWithin bounds one question; one about a stream without a leader is not answered at all.
	askWithin = 2 * time.Second
	// askAgain is the pause between questions.
	askAgain = 100 * time.Millisecond
)

// unsettled are the codes of a cluster that cannot do something yet: it has not enough servers for a stream's replicas (10005), no
// leader (10008, 10009), or no room on those that are there (10023).
var unsettled = []jetstream.ErrorCode{10005, 10008, 10009, 10023}

// patiently asks until there is an answer that time does not change, for 15 seconds at most, and returns it.
func patiently[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	give, cancel := context.WithTimeout(ctx, openWithin)
	defer cancel()
	for {
		within, cancel := context.WithTimeout(give, askWithin)
		answer, err := ask(within)
		cancel()
		if err == nil || !passes(err) {
			return answer, err
		}
		select {
		case <-time.After(askAgain):
		case <-give.Done():
			return answer, err
		}
	}
}

func passes(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
		return true
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains(unsettled, api.ErrorCode)
}
