package idempotency

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"forecourt.internal/contract"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/kv"
	"forecourt.internal/services/idempotency/internal/postgres"
	"forecourt.internal/services/idempotency/internal/wire"
)

const defaultLease = 10 * time.Second

// Config says where outcomes are kept and for how long.
type Config struct {
	// PostgresDSN is the database that holds the rows, in a schema of its own: a URL or keywords and values, with the parameters of
	// pgxpool (pool_max_conns; default 16). The server must be Postgres 14 or later, its connection direct or pooled by session.
	// Empty: JetStream holds the rows.
	PostgresDSN string
	// JetStream holds the IDEMPOTENCY key-value bucket when there is no PostgresDSN.
	JetStream jetstream.JetStream
	// Retention is how long an outcome is remembered, at least contract.MinRetention. Default: contract.DefaultRetention.
	Retention time.Duration
	// Lease is how long an attempt holds a key before another may take it over. Default: 10 seconds.
	Lease time.Duration
	// Logger hears of attempts that never ended and of a store that is away. Default: slog.Default().
	Logger *slog.Logger
	// Now is the clock of leases and, on Postgres, of the retention. Default: time.Now.
	Now func() time.Time
}

// store is what holds the rows.
type store interface {
	app.Store
	Ready(context.Context) error
	Close()
}

// Service answers IdempotencyService.
type Service struct {
	store     store
	registry  *app.Registry
	server    *wire.Server
	retention time.Duration
	now       func() time.Time
}

// New opens the store, creating it when absent; it fails while that is away. It refuses a retention below contract.MinRetention, which
// is promised to every caller, and a bucket that forgets sooner than the retention. The service must be closed.
func New(ctx context.Context, cfg Config) (*Service, error) {
	retention, err := contract.Retention(cfg.Retention)
	if err != nil {
		return nil, fmt.Errorf("start idempotency: %w", err)
	}
	if cfg.Lease == 0 {
		cfg.Lease = defaultLease
	}
	if cfg.Lease < 0 {
		return nil, fmt.Errorf("idempotency lease %s is negative", cfg.Lease)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	store, err := open(ctx, cfg, retention)
	if err != nil {
		return nil, err
	}
	registry := app.NewRegistry(store, cfg.Lease, cfg.Now)
	return &Service{
		store: store, registry: registry, server: wire.NewServer(registry, cfg.Logger), retention: retention, now: cfg.Now,
	}, nil
}

func open(ctx context.Context, cfg Config, retention time.Duration) (store, error) {
	if cfg.PostgresDSN == "" {
		return kv.Open(ctx, cfg.JetStream, retention)
	}
	return postgres.Open(ctx, postgres.Config{DSN: cfg.PostgresDSN, Retention: retention, Now: cfg.Now, Logger: cfg.Logger})
}

// Register adds the service to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	idempotencyv1.RegisterIdempotencyServiceServer(r, s.server)
}

// Ready is nil while the store answers.
func (s *Service) Ready(ctx context.Context) error { return s.store.Ready(ctx) }

// Close frees what the service holds. No call may be on its way.
func (s *Service) Close() { s.store.Close() }
