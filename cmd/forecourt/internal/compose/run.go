package compose

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
)

// Config says where the process listens and keeps its data. Addresses are host:port; port 0 picks a free one.
type Config struct {
	MCP     string
	Admin   string
	NATS    string
	DataDir string
	// Seed fills the broker before any service reads from it; nil leaves it as it is.
	Seed   func(context.Context, jetstream.JetStream, *slog.Logger) error
	Logger *slog.Logger
}

// Endpoints are the addresses of a running process.
type Endpoints struct {
	MCP   string // base URL, such as "http://127.0.0.1:8080"
	Admin string // base URL
	NATS  string // URL for clients, such as "nats://127.0.0.1:4222"
	Data  string // absolute path
}

// Run runs the process until ctx is done, then drains: the edge finishes the calls it has taken, the services theirs, and the
// broker closes its store last. It calls ready once every service can do its work. A process that was told to end, even
// during its start, ends with nil.
func Run(ctx context.Context, cfg Config, ready func(Endpoints)) error {
	err := run(ctx, cfg, ready)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func run(ctx context.Context, cfg Config, ready func(Endpoints)) error {
	if cfg.DataDir == "" { // it would mean the working directory
		return errors.New("--data-dir is empty; name a directory")
	}
	dir, err := filepath.Abs(cfg.DataDir)
	if err != nil {
		return fmt.Errorf("find data directory %s: %w", cfg.DataDir, err)
	}
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()

	mcp, err := listen("--listen", cfg.MCP)
	if err != nil {
		return err
	}
	defer mcp.Close()
	admin, err := listen("--admin", cfg.Admin)
	if err != nil {
		return err
	}
	defer admin.Close()

	broker, err := startBroker(cfg, filepath.Join(dir, "nats"))
	if err != nil {
		return err
	}
	defer broker.Shutdown()
	nc, err := broker.Connect("forecourt")
	if err != nil {
		return fmt.Errorf("connect to the embedded broker: %w", err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}

	if cfg.Seed != nil {
		if err := cfg.Seed(ctx, js, cfg.Logger); err != nil {
			return fmt.Errorf("seed: %w", err)
		}
	}
	s, err := newServices(ctx, js, cfg.Logger)
	if err != nil {
		return err
	}
	return s.serve(ctx, mcp, admin, broker.Failed(), func() {
		ready(Endpoints{
			MCP:   "http://" + mcp.Addr().String(),
			Admin: "http://" + admin.Addr().String(),
			NATS:  broker.URL(),
			Data:  dir,
		})
	})
}

func startBroker(cfg Config, dir string) (*natsd.Server, error) {
	broker, err := natsd.Start(natsd.Config{Listen: cfg.NATS, Dir: dir, Logger: cfg.Logger})
	var malformed *net.AddrError
	if errors.Is(err, syscall.EADDRINUSE) || errors.As(err, &malformed) {
		return nil, addressError("--nats-listen", cfg.NATS, err)
	}
	return broker, err // the broker's own words name the address or the directory
}
