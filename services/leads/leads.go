package leads

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenants"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/leads/internal/app"
	"forecourt.internal/services/leads/internal/buyers"
	"forecourt.internal/services/leads/internal/claims"
	"forecourt.internal/services/leads/internal/eventlog"
	"forecourt.internal/services/leads/internal/stock"
	"forecourt.internal/services/leads/internal/wire"
)

// Config says what the service records leads in and whom it asks.
type Config struct {
	// JetStream holds the LEADS stream.
	JetStream jetstream.JetStream
	// Tenants are the dealerships that leads may be for.
	Tenants     *tenants.Directory
	Inventory   inventoryv1.InventoryServiceClient
	Idempotency idempotencyv1.IdempotencyServiceClient
	// Retention is how long an idempotency key is honoured, as advertised to callers, at least contract.MinRetention. Default:
	// contract.DefaultRetention.
	Retention time.Duration
	// Replicas is how many servers keep the LEADS stream: a new one is created so, and one with fewer is refused. Default: 1.
	Replicas int
	// Logger receives failures, without any value of a customer. Default: slog.Default().
	Logger *slog.Logger
	// Now is the clock of the rules. Default: time.Now.
	Now func() time.Time
}

// Service answers LeadsService.
type Service struct {
	log    *eventlog.Log
	buyers *buyers.Index
	server *wire.Server
}

// New opens the LEADS stream, creating it when absent. It refuses a retention below contract.MinRetention, and
// a stream that would not hold what is promised: all leads, on file, for 400 days, each once within the retention. The caller must Run
// the service.
func New(ctx context.Context, cfg Config) (*Service, error) {
	retention, err := contract.Retention(cfg.Retention)
	if err != nil {
		return nil, fmt.Errorf("start leads: %w", err)
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	log, err := eventlog.Open(ctx, cfg.JetStream, retention, max(cfg.Replicas, 1))
	if err != nil {
		return nil, err
	}
	index := buyers.New(log, buyers.Documents{Directory: cfg.Tenants}, cfg.Logger)
	submitter := &app.Submitter{
		Tenants: cfg.Tenants, Claims: claims.New(cfg.Idempotency), Stock: stock.New(cfg.Inventory), Buyers: index, Log: log,
		Logger: cfg.Logger, Now: cfg.Now,
	}
	return &Service{log: log, buyers: index, server: wire.NewServer(submitter, cfg.Logger)}, nil
}

// Run follows the stream until ctx is done, so that a buyer who comes again is known whichever replica took the first lead, and then
// returns nil. It returns an error when that cannot be done any more.
func (s *Service) Run(ctx context.Context) error { return s.buyers.Run(ctx) }

// Register adds the service to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) { leadsv1.RegisterLeadsServiceServer(r, s.server) }

// Ready is nil while the stream answers and the leads of the current windows are known.
func (s *Service) Ready(ctx context.Context) error {
	if err := s.log.Ready(ctx); err != nil {
		return err
	}
	return s.buyers.Ready(ctx)
}
