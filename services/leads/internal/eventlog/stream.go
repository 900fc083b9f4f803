package eventlog

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/streams"
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
// promised: one that is not on file, does not take every lead or deletes leads early, or that forgets message ids before the
// retention of idempotency keys is over (R-IDEM).
func Open(ctx context.Context, js jetstream.JetStream, retention time.Duration) (*Log, error) {
	stream, err := streams.Open(ctx, js, jetstream.StreamConfig{
		Name: Stream, Description: "Leads, by tenant and event", Subjects: []string{subject("*", "*")},
		Storage: jetstream.FileStorage, MaxAge: maxAge, Duplicates: retention,
	})
	if err != nil {
		return nil, err
	}
	if err := check(stream.CachedInfo().Config, retention); err != nil {
		return nil, err
	}
	return &Log{js: js, stream: stream}, nil
}

func check(cfg jetstream.StreamConfig, retention time.Duration) error {
	takesAll := func(pattern string) bool { return covers(pattern, subject("*", "*")) }
	switch {
	case cfg.Storage != jetstream.FileStorage:
		return fmt.Errorf("stream %s is on %s storage; leads need file storage", Stream, cfg.Storage)
	case !slices.ContainsFunc(cfg.Subjects, takesAll):
		return fmt.Errorf("stream %s does not take all subjects %s; add them", Stream, subject("*", "*"))
	case cfg.MaxAge != 0 && cfg.MaxAge < maxAge:
		return fmt.Errorf("stream %s deletes leads after %s, but they are kept for %s; raise its maximum age", Stream, cfg.MaxAge, maxAge)
	case cfg.Duplicates < retention:
		return fmt.Errorf("stream %s forgets message ids after %s, but idempotency keys are kept for %s; raise its duplicate window",
			Stream, cfg.Duplicates, retention)
	default:
		return nil
	}
}

// covers says whether a subject pattern matches all that another one without ">" does.
func covers(pattern, other string) bool {
	tokens, others := strings.Split(pattern, "."), strings.Split(other, ".")
	for i, token := range tokens {
		switch {
		case i >= len(others):
			return false
		case token == ">":
			return true
		case token != "*" && token != others[i]:
			return false
		}
	}
	return len(tokens) == len(others)
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
