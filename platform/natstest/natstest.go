// Package natstest gives tests a real NATS server with JetStream on disk.
package natstest

import (
	"log/slog"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natsd"
)

// Broker is an embedded server that a test can restart on the same data.
type Broker struct {
	t      testing.TB
	dir    string
	server *natsd.Server
}

// Start runs a server on a free port with its store in a temporary directory, until the test ends.
func Start(t testing.TB) *Broker {
	t.Helper()
	b := &Broker{t: t, dir: t.TempDir()}
	b.start()
	t.Cleanup(func() { b.server.Shutdown() })
	return b
}

// Restart stops the server and starts another on the same data. Connections opened before do not follow.
func (b *Broker) Restart() {
	b.t.Helper()
	b.server.Shutdown()
	b.start()
}

// URL returns the address for clients.
func (b *Broker) URL() string { return b.server.URL() }

// Conn opens a connection for the rest of the test.
func (b *Broker) Conn() *nats.Conn {
	b.t.Helper()
	nc, err := b.server.Connect(b.t.Name())
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(nc.Close)
	return nc
}

// JetStream opens a connection and returns its JetStream context.
func (b *Broker) JetStream() jetstream.JetStream {
	b.t.Helper()
	js, err := jetstream.New(b.Conn())
	if err != nil {
		b.t.Fatal(err)
	}
	return js
}

func (b *Broker) start() {
	b.t.Helper()
	s, err := natsd.Start(natsd.Config{Listen: "127.0.0.1:0", Dir: b.dir, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.t.Fatal(err)
	}
	b.server = s
}
