package eventlog

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// Stream holds every event of every lead.
	Stream = "LEADS"
	// maxAge is how long leads are kept.
	maxAge = 400 * 24 * time.Hour

	submitted = "submitted"
)

// Log appends to and reads from the LEADS stream.
type Log struct {
	js     jetstream.JetStream
	stream jetstream.Stream
}

// Open opens the stream to record leads in, creating it when absent. It refuses a stream that would not hold what is
// promised: one that is not on file, or that forgets message ids before the retention of idempotency keys is over (R-IDEM).
func Open(ctx context.Context, js jetstream.JetStream, retention time.Duration) (*Log, error) {
	stream, err := js.Stream(ctx, Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, jetstream.StreamConfig{
			Name: Stream, Description: "Leads, by tenant and event", Subjects: []string{subject("*", "*")},
			Storage: jetstream.FileStorage, MaxAge: maxAge, Duplicates: retention,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("open stream %s: %w", Stream, err)
	}
	cfg := stream.CachedInfo().Config
	if cfg.Storage != jetstream.FileStorage {
		return nil, fmt.Errorf("stream %s is on %s storage; leads need file storage", Stream, cfg.Storage)
	}
	if cfg.Duplicates < retention {
		return nil, fmt.Errorf("stream %s forgets message ids after %s, but idempotency keys are kept for %s; raise its duplicate window",
			Stream, cfg.Duplicates, retention)
	}
	return &Log{js: js, stream: stream}, nil
}

// Existing opens the stream to read from. It returns an error when there is none.
func Existing(ctx context.Context, js jetstream.JetStream) (*Log, error) {
	stream, err := js.Stream(ctx, Stream)
	if err != nil {
		return nil, fmt.Errorf("open stream %s: %w", Stream, err)
	}
	return &Log{js: js, stream: stream}, nil
}

// Ready is nil while the stream answers.
func (l *Log) Ready(ctx context.Context) error {
	if _, err := l.stream.Info(ctx); err != nil {
		return fmt.Errorf("stream %s: %w", Stream, err)
	}
	return nil
}

func subject(tenant, event string) string { return "lead.v1." + tenant + "." + event }
