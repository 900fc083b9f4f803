package idempotency_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/pgtest"
	"forecourt.internal/platform/rpc/rpctest"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency"
)

// stores are the configurations of both, each with nothing in it.
var stores = map[string]func(*testing.T) idempotency.Config{
	"kv": func(t *testing.T) idempotency.Config {
		return idempotency.Config{JetStream: natstest.Start(t).JetStream()}
	},
	"postgres": func(t *testing.T) idempotency.Config { return idempotency.Config{PostgresDSN: pgtest.Database(t)} },
}

// create makes a service that ends with the test.
func create(t *testing.T, cfg idempotency.Config) *idempotency.Service {
	t.Helper()
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	service, err := idempotency.New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(service.Close)
	return service
}

// start serves the service over a pipe until the test ends.
func start(t *testing.T, cfg idempotency.Config) idempotencyv1.IdempotencyServiceClient {
	t.Helper()
	return serve(t, create(t, cfg), cfg.Logger)
}

func serve(t *testing.T, service *idempotency.Service, log *slog.Logger) idempotencyv1.IdempotencyServiceClient {
	t.Helper()
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return idempotencyv1.NewIdempotencyServiceClient(rpctest.Serve(t, log, service.Register))
}

func key() *idempotencyv1.Key {
	return &idempotencyv1.Key{Tenant: "demo-toyota", Caller: "public|harbor-shopper", Skill: "lead.submit", Key: "k-1"}
}

func beginRequest() *idempotencyv1.BeginRequest {
	return &idempotencyv1.BeginRequest{Key: key(), Fingerprint: make([]byte, 32)}
}

func TestBegin_Complete_Replay(t *testing.T) {
	for name, store := range stores {
		t.Run(name, func(t *testing.T) { beginCompleteReplay(t, store(t)) })
	}
}

func beginCompleteReplay(t *testing.T, cfg idempotency.Config) {
	now := time.Date(2026, 4, 30, 11, 5, 9, 123_000_000, time.UTC)
	cfg.Now = func() time.Time { return now }
	client := start(t, cfg)
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
	_, err = client.Complete(t.Context(), &idempotencyv1.CompleteRequest{
		Key: key(), Owner: first.GetFresh().GetOwner(), Outcome: []byte("another"),
	})
	if status.Code(err) != codes.FailedPrecondition {
		t.Errorf("completed twice: err = %v, want FAILED_PRECONDITION", err)
	}
	if _, err := client.Release(t.Context(), &idempotencyv1.ReleaseRequest{Key: key(), Owner: "someone"}); err != nil {
		t.Errorf("release of a claim of someone else: %v", err)
	}
}

func TestNew_RefusesRetentionBelowADay(t *testing.T) {
	for name, store := range stores {
		for retention, ok := range map[time.Duration]bool{
			0: true, 24 * time.Hour: true, 24*time.Hour - 1: false, -time.Hour: false,
		} {
			t.Run(fmt.Sprint(name, " ", retention), func(t *testing.T) {
				cfg := store(t)
				cfg.Retention = retention
				service, err := idempotency.New(t.Context(), cfg)
				if (err == nil) != ok {
					t.Errorf("err = %v, want ok = %v", err, ok)
				}
				if err == nil {
					service.Close()
				}
			})
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
		"no outcome": func() error {
			_, err := client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key(), Owner: "o"})
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
			_, err := client.Complete(t.Context(), &idempotencyv1.CompleteRequest{Key: key(), Outcome: []byte("outcome")})
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
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			now := time.Now()
			cfg := store(t)
			cfg.Logger, cfg.Now = slog.New(slog.NewTextHandler(&log, nil)), func() time.Time { return now }
			service := create(t, cfg)
			client := serve(t, service, cfg.Logger)
			req := beginRequest()
			req.Key.Caller, req.Key.Key = "canary-caller", "canary-key"
			for range 2 { // the second resumes the first, which is logged
				if _, err := client.Begin(t.Context(), proto.CloneOf(req)); err != nil {
					t.Fatal(err)
				}
				now = now.Add(time.Minute)
			}
			found := rowsOf(t, cfg)
			service.Close() // before the log is read
			if !strings.Contains(log.String(), "never ended") {
				t.Error("the log does not tell that an attempt never ended")
			}
			for _, text := range append(found, log.String()) {
				if strings.Contains(text, "canary") {
					t.Errorf("found a canary in %s", text)
				}
			}
		})
	}
}

func rowsOf(t *testing.T, cfg idempotency.Config) []string {
	t.Helper()
	if cfg.PostgresDSN == "" {
		return rows(t, cfg.JetStream)
	}
	return tables(t, cfg.PostgresDSN)
}

// tables returns every row of every table outside the catalogue as text.
func tables(t *testing.T, dsn string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	const list = `SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`
	var found []string
	for _, table := range column(t, conn, list) {
		found = append(found, column(t, conn, "SELECT t::text FROM "+table+" t")...)
		// a text, whatever bytes it is stored as
		found = append(found, column(t, conn, "SELECT encode(decode(x[1], 'hex'), 'escape') FROM "+table+
			` t, regexp_matches(t::text, '\\x([0-9a-f]+)', 'g') x`)...)
	}
	if len(found) == 0 {
		t.Fatal("the database is empty")
	}
	return found
}

func column(t *testing.T, conn *pgx.Conn, sql string) []string {
	t.Helper()
	result, err := conn.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	values, err := pgx.CollectRows(result, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return values
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
