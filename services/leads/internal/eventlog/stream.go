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
)

// days is where appointments are booked: appointment.v1.<tenant>.<rooftop>.<department>.<date>.
const days = "appointment.v1.>"

// Log appends to and reads from the LEADS stream.
type Log struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	// created tells the stream from another that is made by its name.
	created time.Time
	// retention and replicas are what the stream has to stand for; zero when it is only read.
	retention time.Duration
	replicas  int
}

// Open opens the stream to record leads in, creating it with a number of replicas when absent. It refuses a stream that would not
// hold what is promised: one that is not on file or has fewer replicas, does not take every lead or deletes leads early, or that
// forgets message ids before the retention of idempotency keys is over (R-IDEM).
func Open(ctx context.Context, js jetstream.JetStream, retention time.Duration, replicas int) (*Log, error) {
	stream, err := streams.Open(ctx, js, jetstream.StreamConfig{
		Name: Stream, Description: "Leads, by tenant and event, and the days of appointments",
		Subjects: []string{subject("*", "*"), days}, Storage: jetstream.FileStorage, Replicas: replicas,
		MaxAge: maxAge, Duplicates: retention, AllowAtomicPublish: true,
	})
	if err != nil {
		return nil, err
	}
	if err := check(stream.CachedInfo().Config, retention, replicas); err != nil {
		return nil, err
	}
	if stream, err = withDays(ctx, js, stream); err != nil {
		return nil, err
	}
	return &Log{js: js, stream: stream, created: stream.CachedInfo().Created, retention: retention, replicas: replicas}, nil
}

// withDays lets a stream that an earlier version created hold the days of appointments, with nothing else changed. A lead and its day are
// stored by one atomic batch.
func withDays(ctx context.Context, js jetstream.JetStream, stream jetstream.Stream) (jetstream.Stream, error) {
	cfg := stream.CachedInfo().Config
	if takesDays(cfg) && cfg.AllowAtomicPublish {
		return stream, nil
	}
	cfg.AllowAtomicPublish = true
	if !takesDays(cfg) {
		cfg.Subjects = append(slices.Clone(cfg.Subjects), days)
	}
	updated, err := js.UpdateStream(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("let stream %s take the subjects %s and atomic batches (NATS 2.12 or later): %w", Stream, days, err)
	}
	if !updated.CachedInfo().Config.AllowAtomicPublish {
		return nil, fmt.Errorf("the broker takes no atomic batches, which book appointments; run NATS 2.12 or later")
	}
	return updated, nil
}

func takesDays(cfg jetstream.StreamConfig) bool {
	return slices.ContainsFunc(cfg.Subjects, func(pattern string) bool { return covers(pattern, "appointment.v1.*.*.*.*") })
}

func check(cfg jetstream.StreamConfig, retention time.Duration, replicas int) error {
	takesAll := func(pattern string) bool { return covers(pattern, subject("*", "*")) }
	switch {
	case cfg.Storage != jetstream.FileStorage:
		return fmt.Errorf("stream %s is on %s storage; leads need file storage", Stream, cfg.Storage)
	case cfg.Replicas < replicas:
		return fmt.Errorf("stream %s has %d replicas, but %d are configured; raise its replicas, or the servers of the cluster first",
			Stream, cfg.Replicas, replicas)
	case !slices.ContainsFunc(cfg.Subjects, takesAll):
		return fmt.Errorf("stream %s does not take all subjects %s; add them", Stream, subject("*", "*"))
	case cfg.Retention != jetstream.LimitsPolicy:
		return fmt.Errorf("stream %s deletes what was consumed (%s); leads need the retention policy of limits", Stream, cfg.Retention)
	case cfg.MaxMsgsPerSubject > 0, (cfg.MaxMsgs > 0 || cfg.MaxBytes > 0) && cfg.Discard != jetstream.DiscardNew:
		return fmt.Errorf("stream %s deletes leads when it is full; take its limits away, or let it discard new ones", Stream)
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
	return &Log{js: js, stream: stream, created: stream.CachedInfo().Created}, nil
}

// Ready is nil while the stream answers and holds what is promised: it can be changed, or deleted and made anew, while leads are taken.
func (l *Log) Ready(ctx context.Context) error {
	info, err := l.stream.Info(ctx)
	if err != nil {
		return fmt.Errorf("stream %s: %w", Stream, err)
	}
	if !takesDays(info.Config) || !info.Config.AllowAtomicPublish {
		return fmt.Errorf("stream %s takes no appointments any more; start leads again, which lets it", Stream)
	}
	return check(info.Config, l.retention, l.replicas)
}

// ErrReplaced says that the stream was deleted and made anew: what was read of the old one is not true of it.
var ErrReplaced = fmt.Errorf("stream %s was deleted and made anew; start again to read it", Stream)

// Same is nil while the stream is the one that was opened, ErrReplaced when it is another by the same name, and another error when that
// cannot be told.
func (l *Log) Same(ctx context.Context) error {
	now, err := l.js.Stream(ctx, Stream)
	if err != nil {
		return fmt.Errorf("stream %s: %w", Stream, err)
	}
	if !now.CachedInfo().Created.Equal(l.created) {
		return ErrReplaced
	}
	return nil
}

func subject(tenant, event string) string { return "lead.v1." + tenant + "." + event }
