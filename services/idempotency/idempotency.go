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
	"forecourt.internal/services/idempotency/internal/wire"
)

const defaultLease = 10 * time.Second

// Config says where outcomes are kept and for how long.
type Config struct {
	// JetStream holds the IDEMPOTENCY key-value bucket.
	JetStream jetstream.JetStream
	// Retention is how long an outcome is remembered, at least contract.MinRetention. Default: contract.DefaultRetention.
	Retention time.Duration
	// Lease is how long an attempt holds a key before another may take it over. Default: 10 seconds.
	Lease time.Duration
	// Logger hears of attempts that never ended. Default: slog.Default().
	Logger *slog.Logger
	// Now is the clock of leases. Default: time.Now.
	Now func() time.Time
}

// Service answers IdempotencyService.
type Service struct {
	store     *kv.Store
	registry  *app.Registry
	server    *wire.Server
	retention time.Duration
	now       func() time.Time
}

// New opens the IDEMPOTENCY bucket, creating it when absent. It refuses a retention below
// contract.MinRetention, which is promised to every caller, and a bucket that forgets sooner than the retention.
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
	store, err := kv.Open(ctx, cfg.JetStream, retention)
	if err != nil {
		return nil, err
	}
	registry := app.NewRegistry(store, cfg.Lease, cfg.Now)
	return &Service{
		store: store, registry: registry, server: wire.NewServer(registry, cfg.Logger), retention: retention, now: cfg.Now,
	}, nil
}

// Register adds the service to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	idempotencyv1.RegisterIdempotencyServiceServer(r, s.server)
}

// Ready is nil while the store answers.
func (s *Service) Ready(ctx context.Context) error { return s.store.Ready(ctx) }

// Close frees what the service holds. Calls that are still on their way fail.
func (s *Service) Close() {}
