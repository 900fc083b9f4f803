package compose

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/boot"
)

// Config says where the process listens and keeps its data. Addresses are host:port; port 0 picks a free one.
type Config struct {
	MCP   string
	Admin string
	// NATS and DataDir are of the embedded broker; without one they are not used.
	NATS    string
	DataDir string
	// NATSURL is a real broker instead of the embedded one. Default: none.
	NATSURL boot.NATSURL
	// Monitors are the monitoring ports of its servers, which say whether they sync each write.
	Monitors boot.MonitorURLs
	// Replicas is how many of its servers keep each stream.
	Replicas boot.Replicas
	// PostgresDSN keeps the outcomes under idempotency keys in Postgres instead of the broker. Default: none.
	PostgresDSN boot.PostgresDSN
	// Retention is how long idempotency keys are remembered. Default: contract.DefaultRetention.
	Retention boot.Retention
	// Seed fills the broker before any service reads from it; nil leaves it as it is.
	Seed   func(context.Context, jetstream.JetStream, *slog.Logger) error
	Logger *slog.Logger
}

// Endpoints are the addresses of a running process, without credentials.
type Endpoints struct {
	MCP      string // base URL, such as "http://127.0.0.1:8080"
	Admin    string // base URL
	NATS     string // URL for clients, such as "nats://127.0.0.1:4222"
	Postgres string // such as "postgres://127.0.0.1:5432/forecourt"; "" when the broker keeps all
	Data     string // absolute path; "" without the embedded broker
}

// Run runs the process until ctx is done, then drains: the edge finishes the calls it has taken, the services theirs, and the
// broker closes its store last. It calls ready once every service can do its work. A process that was told to end, even
// during its start, ends with nil.
func Run(ctx context.Context, cfg Config, ready func(Endpoints)) error {
	defer boot.LeaveRoom()()
	err := run(ctx, cfg, ready)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func run(ctx context.Context, cfg Config, ready func(Endpoints)) error {
	dir, unlock, err := claimDir(cfg)
	if err != nil {
		return err
	}
	defer unlock()
	mcp, err := boot.Listen("--listen", cfg.MCP)
	if err != nil {
		return err
	}
	defer mcp.Close()
	admin, err := boot.Listen("--admin", cfg.Admin)
	if err != nil {
		return err
	}
	defer admin.Close()
	endpoints := Endpoints{MCP: "http://" + mcp.Addr().String(), Admin: "http://" + admin.Addr().String(), Data: dir}
	if cfg.PostgresDSN != "" {
		endpoints.Postgres = cfg.PostgresDSN.Redacted()
	}

	broker, err := openBroker(ctx, cfg, dir)
	if err != nil {
		return err
	}
	defer broker.close()
	endpoints.NATS = broker.url
	if cfg.Seed != nil {
		if err := cfg.Seed(ctx, broker.js, cfg.Logger); err != nil {
			return fmt.Errorf("seed: %w", err)
		}
	}
	s, err := newServices(ctx, broker, cfg)
	if err != nil {
		return err
	}
	return s.serve(ctx, mcp, admin, func() { ready(endpoints) })
}

// claimDir makes the data directory the process's own, if it needs one, and returns its absolute path.
func claimDir(cfg Config) (dir string, unlock func(), err error) {
	if cfg.NATSURL != "" {
		return "", func() {}, nil
	}
	if cfg.DataDir == "" { // it would mean the working directory
		return "", nil, errors.New("--data-dir is empty; name a directory")
	}
	dir, err = filepath.Abs(cfg.DataDir)
	if err != nil {
		return "", nil, fmt.Errorf("find data directory %s: %w", cfg.DataDir, err)
	}
	unlock, err = lockDir(dir)
	return dir, unlock, err
}
