package eventlog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/services/leads/internal/calendar"
)

// Day returns the ledger of a day and its sequence in the log; an empty one and 0 when nothing is booked. It returns an error for a
// message that is not the ledger of its subject, as anyone who may publish can put there: to take it for a day without bookings would
// give seats twice.
func (l *Log) Day(ctx context.Context, subject string) (ledger calendar.Ledger, last uint64, err error) {
	msg, err := l.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return calendar.Ledger{}, 0, nil
	}
	if err != nil {
		return calendar.Ledger{}, 0, fmt.Errorf("read the ledger of a day: %w", err) // the day is what the buyer wishes
	}
	if err := json.Unmarshal(msg.Data, &ledger); err != nil || ledger.Subject() != subject {
		return calendar.Ledger{}, 0, fmt.Errorf("event %d of stream %s is not the ledger of a day", msg.Sequence, Stream)
	}
	return ledger, msg.Sequence, nil
}
