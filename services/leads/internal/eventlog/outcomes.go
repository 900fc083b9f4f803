package eventlog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/streams"
	"forecourt.internal/services/leads/internal/domain"
)

// Outcome is what a retry under a key is answered with, and when the key was first claimed.
type Outcome struct {
	Fingerprint domain.Fingerprint
	ReceivedAt  time.Time
	Response    []byte
}

// Outcomes hands what is recorded under each key since a time to each, in order, up to the last event that there is when it begins. It passes
// over what is not the first event under a key.
func (l *Log) Outcomes(ctx context.Context, since time.Time, each func(idemkey.Digest, Outcome) error) error {
	consumer, err := l.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject("*", "*")}, DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &since,
	})
	if err != nil {
		return fmt.Errorf("read stream %s: %w", Stream, err)
	}
	defer streams.Drop(ctx, l.stream, consumer)
	info, err := consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("read stream %s: %w", Stream, err)
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(ahead))
	if err != nil {
		return fmt.Errorf("read stream %s: %w", Stream, err)
	}
	defer messages.Stop()
	for range info.NumPending {
		msg, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return fmt.Errorf("read stream %s: %w", Stream, err)
		}
		key, outcome, ok := outcomeOf(msg)
		if !ok {
			continue
		}
		if err := each(key, outcome); err != nil {
			return err
		}
	}
	return nil
}

func outcomeOf(msg jetstream.Msg) (key idemkey.Digest, o Outcome, ok bool) {
	key, err := idemkey.ParseDigest(msg.Headers().Get(jetstream.MsgIDHeader))
	if err != nil {
		return key, o, false
	}
	var data struct {
		Fingerprint string          `json:"fingerprint"`
		ReceivedAt  time.Time       `json:"received_at"`
		Response    json.RawMessage `json:"response"`
	}
	if json.Unmarshal(msg.Data(), &data) != nil || len(data.Response) == 0 {
		return key, o, false
	}
	f, err := domain.ParseFingerprint(data.Fingerprint)
	return key, Outcome{Fingerprint: f, ReceivedAt: data.ReceivedAt, Response: data.Response}, err == nil
}
