package idempotency

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/kv"
	"forecourt.internal/services/idempotency/internal/wire"
)

const (
	defaultRetention = 72 * time.Hour
	minRetention     = 24 * time.Hour
	defaultLease     = 10 * time.Second
)

// Config says where outcomes are kept and for how long.
type Config struct {
	// JetStream holds the IDEMPOTENCY key-value bucket.
	JetStream jetstream.JetStream
	// Retention is how long an outcome is remembered, at least 24 hours. Default: 72 hours.
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
	store  *kv.Store
	server *wire.Server
}

// New opens the IDEMPOTENCY bucket, creating it when absent. It refuses a retention below 24 hours, which the contract
// promises to every caller.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Retention == 0 {
		cfg.Retention = defaultRetention
	}
	if cfg.Retention < minRetention {
		return nil, fmt.Errorf("idempotency retention %s is below the %s that the contract promises", cfg.Retention, minRetention)
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
	store, err := kv.Open(ctx, cfg.JetStream, cfg.Retention)
	if err != nil {
		return nil, err
	}
	return &Service{store: store, server: wire.NewServer(app.NewRegistry(store, cfg.Lease, cfg.Now), cfg.Logger)}, nil
}

// Register adds the service to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	idempotencyv1.RegisterIdempotencyServiceServer(r, s.server)
}

// Ready is nil while the store answers.
func (s *Service) Ready(ctx context.Context) error { return s.store.Ready(ctx) }
