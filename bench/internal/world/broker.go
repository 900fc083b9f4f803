package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const readyWithin = time.Minute

// Broker is an embedded server on a directory of its own. Other than that of the product it does not sync every write: only reads
// are measured.
type Broker struct {
	server *server.Server
	dir    string
}

// StartBroker runs a broker on a free port of the loopback interface until Stop.
func StartBroker() (*Broker, error) {
	dir, err := os.MkdirTemp("", "forecourt-bench-")
	if err != nil {
		return nil, fmt.Errorf("start broker: %w", err)
	}
	b := &Broker{dir: dir}
	b.server, err = server.NewServer(&server.Options{
		ServerName: "forecourt-bench", Host: "127.0.0.1", Port: server.RANDOM_PORT,
		JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true, MaxPayload: 2 << 20,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("configure broker: %w", err), os.RemoveAll(dir))
	}
	go b.server.Start()
	if !b.server.ReadyForConnections(readyWithin) {
		return nil, errors.Join(fmt.Errorf("the broker was not ready within %s", readyWithin), b.Stop())
	}
	return b, nil
}

// URL is the address for other processes.
func (b *Broker) URL() string { return b.server.ClientURL() }

// Connect opens a connection inside the process, until ctx is done.
func (b *Broker) Connect(ctx context.Context) (jetstream.JetStream, error) {
	return Connect(ctx, "", nats.InProcessServer(b.server))
}

// Connect opens a connection to the broker at url, until ctx is done.
func Connect(ctx context.Context, url string, options ...nats.Option) (jetstream.JetStream, error) {
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, fmt.Errorf("connect to the broker: %w", err)
	}
	context.AfterFunc(ctx, nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("connect to the broker: %w", err)
	}
	return js, nil
}

// Stop ends the broker and removes its directory.
func (b *Broker) Stop() error {
	b.server.Shutdown()
	b.server.WaitForShutdown()
	if err := os.RemoveAll(b.dir); err != nil {
		return fmt.Errorf("remove the broker's data: %w", err)
	}
	return nil
}
