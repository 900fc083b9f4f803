package inventory

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"google.golang.org/grpc"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenants"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory/internal/cursor"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/projection"
	"forecourt.internal/services/inventory/internal/server"
)

// defaultCursorTTL is how long a search can be continued.
const defaultCursorTTL = 15 * time.Minute

// Config says what the service works on.
type Config struct {
	JetStream jetstream.JetStream
	// Tenants are the dealerships that are served; others are NOT_FOUND.
	Tenants *tenants.Directory
	// Logger defaults to slog.Default().
	Logger *slog.Logger
	// CursorTTL is how long a cursor can be used. Default: 15 minutes.
	CursorTTL time.Duration
	// Now is the clock of cursors. Default: time.Now.
	Now func() time.Time
}

// Service answers reads over the stock of all tenants from memory. Replicas are equal; each keeps all of it.
type Service struct {
	server     *server.Server
	projection *projection.Projection
}

// New opens the INVENTORY stream and the cursor key, creating them when absent. The service knows no vehicle until Run reads
// the stream.
func New(ctx context.Context, cfg Config) (*Service, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.CursorTTL == 0 {
		cfg.CursorTTL = defaultCursorTTL
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	check, err := contract.NewValidator()
	if err != nil {
		return nil, fmt.Errorf("start inventory: %w", err)
	}
	events, err := eventlog.Open(ctx, cfg.JetStream)
	if err != nil {
		return nil, fmt.Errorf("start inventory: %w", err)
	}
	key, err := cursor.Key(ctx, cfg.JetStream)
	if err != nil {
		return nil, fmt.Errorf("start inventory: %w", err)
	}
	stock := new(index.Index)
	return &Service{
		server:     server.New(cfg.Tenants, stock, cursor.NewCodec(key, cfg.CursorTTL, cfg.Now)),
		projection: projection.New(events, stock, check, cfg.Logger),
	}, nil
}

// Register adds InventoryService to a gRPC server.
func (s *Service) Register(r grpc.ServiceRegistrar) {
	inventoryv1.RegisterInventoryServiceServer(r, s.server)
}

// Run follows the stream until ctx is done. It outlives a lost connection to the broker; it returns an error when it cannot
// start, when the connection was closed for good, and when the stream was deleted or replaced by another: a new Service then starts with
// what the stream has.
func (s *Service) Run(ctx context.Context) error { return s.projection.Run(ctx) }

// Ready is nil while the memory is current: it holds everything that the stream held at the start, the broker can be reached
// and answers, and no event waits for more than 5 seconds. Its error says what is missing, with numbers.
func (s *Service) Ready(ctx context.Context) error { return s.projection.Ready(ctx) }
