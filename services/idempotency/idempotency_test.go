package idempotency_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc/rpctest"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency"
)

// start serves the service over a pipe until the test ends.
func start(t *testing.T, cfg idempotency.Config) idempotencyv1.IdempotencyServiceClient {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	service, err := idempotency.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return idempotencyv1.NewIdempotencyServiceClient(rpctest.Serve(t, cfg.Logger, service.Register))
}

func key() *idempotencyv1.Key {
	return &idempotencyv1.Key{Tenant: "demo-toyota", Caller: "public|harbor-shopper", Skill: "lead.submit", Key: "k-1"}
}

func beginRequest() *idempotencyv1.BeginRequest {
	return &idempotencyv1.BeginRequest{Key: key(), Fingerprint: make([]byte, 32)}
}

func TestBegin_Complete_Replay(t *testing.T) {
	now := time.Date(2026, 4, 30, 11, 5, 9, 123_000_000, time.UTC)
	client := start(t, idempotency.Config{JetStream: natstest.Start(t).JetStream(), Now: func() time.Time { return now }})
	first, err := client.Begin(t.Context(), beginRequest())
	if err != nil {
		t.Fatal(err)
	}
	want := &idempotencyv1.BeginResponse{Result: &idempotencyv1.BeginResponse_Fresh_{Fresh: &idempotencyv1.BeginResponse_Fresh{
		Owner: first.GetFresh().GetOwner(), FirstClaimedAt: timestamppb.New(now), Lease: durationpb.New(10 * time.Second),
	}}}
	if diff := cmp.Diff(want, first, protocmp.Transform()); diff != "" {
		t.Fatal(diff)
	}
	busy, err := client.Begin(t.Context(), beginRequest())
	if err != nil || busy.GetInProgress().GetRetryAfter().AsDuration() != 10*time.Second {
		t.Fatalf("second attempt: %v, %v", busy, err)
	}
	_, err = client.Complete(t.Context(), &idempotencyv1.CompleteRequest{
		Key: key(), Owner: first.GetFresh().GetOwner(), Outcome: []byte("outcome"),
	})
	if err != nil {
		t.Fatal(err)
	}
	again, err := client.Begin(t.Context(), beginRequest())
	if err != nil || string(again.GetReplay().GetOutcome()) != "outcome" {
		t.Errorf("replay = %v, err = %v", again, err)
	}
	_, err = client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key(), Owner: first.GetFresh().GetOwner()})
	if status.Code(err) != codes.FailedPrecondition {
		t.Errorf("completed twice: err = %v, want FAILED_PRECONDITION", err)
	}
	if _, err := client.Release(t.Context(), &idempotencyv1.ReleaseRequest{Key: key(), Owner: "someone"}); err != nil {
		t.Errorf("release of a claim of someone else: %v", err)
	}
}

func TestNew_RefusesRetentionBelowADay(t *testing.T) {
	for retention, ok := range map[time.Duration]bool{
		0: true, 24 * time.Hour: true, 24*time.Hour - 1: false, -time.Hour: false,
	} {
		js := natstest.Start(t).JetStream() // a bucket that is there keeps its own retention
		if _, err := idempotency.New(t.Context(), idempotency.Config{JetStream: js, Retention: retention}); (err == nil) != ok {
			t.Errorf("retention %s: err = %v, want ok = %v", retention, err, ok)
		}
	}
}

func TestRequests_OfTheWrongShape_InvalidArgument(t *testing.T) {
	client := start(t, idempotency.Config{JetStream: natstest.Start(t).JetStream()})
	calls := map[string]func() error{
		"short fingerprint": func() error {
			_, err := client.Begin(t.Context(), &idempotencyv1.BeginRequest{Key: key(), Fingerprint: []byte("x")})
			return err
		},
		"large outcome": func() error {
			_, err := client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key(), Outcome: make([]byte, 64<<10+1)})
			return err
		},
		"short fingerprint of an outcome": func() error {
			_, err := client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key(), Fingerprint: []byte("x")})
			return err
		},
		"no key": func() error {
			_, err := client.Release(t.Context(), &idempotencyv1.ReleaseRequest{})
			return err
		},
	}
	for _, part := range []string{"tenant", "caller", "skill", "key"} {
		calls["no "+part] = func() error {
			req := beginRequest()
			m := req.GetKey().ProtoReflect()
			m.Clear(m.Descriptor().Fields().ByName(protoreflect.Name(part)))
			_, err := client.Begin(t.Context(), req)
			return err
		}
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			if err := call(); status.Code(err) != codes.InvalidArgument {
				t.Errorf("err = %v, want INVALID_ARGUMENT", err)
			}
		})
	}
}

func TestStoreAway_CallsMayBeRetried_TheCauseStaysInTheLog(t *testing.T) {
	js := natstest.Start(t).JetStream()
	var log bytes.Buffer
	client := start(t, idempotency.Config{JetStream: js, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	js.Conn().Close()
	for name, call := range map[string]func() error{
		"begin": func() error { _, err := client.Begin(t.Context(), beginRequest()); return err },
		"complete": func() error {
			_, err := client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key()})
			return err
		},
		"release": func() error {
			_, err := client.Release(t.Context(), &idempotencyv1.ReleaseRequest{Key: key()})
			return err
		},
	} {
		log.Reset()
		if s := status.Convert(call()); s.Code() != codes.Unavailable || s.Message() != "the store did not answer" {
			t.Errorf("%s: %v: %q, want UNAVAILABLE and nothing of the cause", name, s.Code(), s.Message())
		}
		if cause := "connection closed"; !strings.Contains(log.String(), cause) {
			t.Errorf("%s: the log does not give the cause, %q: %s", name, cause, &log)
		}
	}
}

func TestReady_FollowsTheBroker(t *testing.T) {
	js := natstest.Start(t).JetStream()
	service, err := idempotency.New(t.Context(), idempotency.Config{JetStream: js})
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Ready(t.Context()); err != nil {
		t.Errorf("broker there: %v", err)
	}
	js.Conn().Close()
	if err := service.Ready(t.Context()); err == nil {
		t.Error("broker away, yet ready")
	}
}

func TestRowsAndLogs_HoldNoPartOfTheKey(t *testing.T) {
	var log bytes.Buffer
	now := time.Now()
	js := natstest.Start(t).JetStream()
	client := start(t, idempotency.Config{
		JetStream: js, Logger: slog.New(slog.NewTextHandler(&log, nil)), Now: func() time.Time { return now },
	})
	req := beginRequest()
	req.Key.Caller, req.Key.Key = "canary-caller", "canary-key"
	for range 2 { // the second resumes the first, which is logged
		if _, err := client.Begin(t.Context(), proto.CloneOf(req)); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	if !strings.Contains(log.String(), "never ended") {
		t.Error("the log does not tell that an attempt never ended")
	}
	for _, text := range append(rows(t, js), log.String()) {
		if strings.Contains(text, "canary") {
			t.Errorf("found a canary in %s", text)
		}
	}
}

// rows returns every key and value of the bucket as text.
func rows(t *testing.T, js jetstream.JetStream) []string {
	t.Helper()
	bucket, err := js.KeyValue(t.Context(), "IDEMPOTENCY")
	if err != nil {
		t.Fatal(err)
	}
	watcher, err := bucket.WatchAll(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	var found []string
	for entry := range watcher.Updates() {
		if entry == nil {
			break
		}
		found = append(found, entry.Key(), string(entry.Value()))
	}
	if len(found) == 0 {
		t.Fatal("the bucket is empty")
	}
	return found
}
