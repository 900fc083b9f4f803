package compose

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"syscall"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/admin"
	"forecourt.internal/platform/boot"
	"forecourt.internal/platform/natsd"
)

// broker is what the services work on, embedded or a real one.
type broker struct {
	js jetstream.JetStream
	// url is for clients, without credentials.
	url string
	// ready is nil for the embedded one, which is there as long as the process.
	ready admin.Check
	// failed tells why an embedded one takes no more writes; a real one that is away comes back.
	failed <-chan error
	close  func()
}

// openBroker starts the embedded broker with its store below dir, or connects to the configured one.
func openBroker(ctx context.Context, cfg Config, dir string) (*broker, error) {
	if cfg.NATSURL == "" {
		return startEmbedded(cfg, filepath.Join(dir, "nats"))
	}
	connection, err := boot.ConnectNATS(ctx, "forecourt", "--nats-url", cfg.NATSURL, cfg.Replicas, cfg.Logger)
	if err != nil {
		return nil, err
	}
	if err := connection.CheckSynced(ctx, cfg.Monitors, cfg.Replicas, cfg.Logger); err != nil {
		connection.Close()
		return nil, err
	}
	return &broker{
		js: connection.JetStream, url: cfg.NATSURL.Redacted(), ready: connection.Ready, close: connection.Close,
	}, nil
}

func startEmbedded(cfg Config, dir string) (*broker, error) {
	server, err := natsd.Start(natsd.Config{Listen: cfg.NATS, Dir: dir, Logger: cfg.Logger})
	var malformed *net.AddrError
	if errors.Is(err, syscall.EADDRINUSE) || errors.As(err, &malformed) {
		return nil, boot.AddressError("--nats-listen", cfg.NATS, err)
	}
	if err != nil {
		return nil, err // the server's own words name the address or the directory
	}
	nc, err := server.Connect("forecourt")
	if err != nil {
		server.Shutdown()
		return nil, fmt.Errorf("connect to the embedded broker: %w", err)
	}
	shut := func() {
		nc.Close()
		server.Shutdown()
	}
	js, err := jetstream.New(nc)
	if err != nil {
		shut()
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	return &broker{js: js, url: server.URL(), failed: server.Failed(), close: shut}, nil
}
