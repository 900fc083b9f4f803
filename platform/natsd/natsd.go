// Package natsd runs the NATS server inside the process, with JetStream on disk, for the embedded mode and for tests. It is
// the same server as in production, with every write synced before it is acknowledged.
package natsd

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// readyWithin bounds the start: recovering a large store takes a while.
const readyWithin = 2 * time.Minute

// Config says where the server listens and keeps its data.
type Config struct {
	// Listen is host:port for clients; port 0 picks a free one.
	Listen string
	// Dir is the directory of the JetStream store; created when absent.
	Dir string
	// Logger receives the server's warnings and errors. Default: slog.Default().
	Logger *slog.Logger
}

// Server is a running embedded server.
type Server struct {
	ns     *server.Server
	failed <-chan error
}

// Start runs a server until Shutdown. It returns an error when the address is taken or the store cannot be opened.
func Start(cfg Config) (*Server, error) {
	host, portText, err := net.SplitHostPort(cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("nats listen address %q: %w", cfg.Listen, err)
	}
	port, err := strconv.Atoi(portText)
	if err != nil {
		return nil, fmt.Errorf("nats listen address %q: port is not a number", cfg.Listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	// A taken port would otherwise end the process from inside the server library.
	if err := probe(host, port); err != nil {
		return nil, fmt.Errorf("nats listen address %q: %w", cfg.Listen, err)
	}
	ns, err := server.NewServer(&server.Options{
		ServerName: "forecourt-embedded",
		Host:       host,
		Port:       port,
		JetStream:  true,
		StoreDir:   cfg.Dir,
		SyncAlways: true, // an acknowledged lead or event is on disk
		NoSigs:     true,
		MaxPayload: 2 << 20,
	})
	if err != nil {
		return nil, fmt.Errorf("configure nats server: %w", err)
	}
	log := cfg.Logger
	if log == nil {
		log = slog.Default()
	}
	fatal, failed := make(chan string, 1), make(chan error, 1)
	ns.SetLoggerV2(logger{log.With("component", "nats"), fatal, failed}, false, false, false)
	go ns.Start()
	ready := make(chan bool, 1)
	go func() { ready <- ns.ReadyForConnections(readyWithin) }()
	select {
	case reason := <-fatal:
		ns.Shutdown()
		return nil, fmt.Errorf("start nats server in %s: %s", cfg.Dir, reason)
	case ok := <-ready:
		if !ok {
			ns.Shutdown()
			return nil, fmt.Errorf("nats server in %s was not ready within %s", cfg.Dir, readyWithin)
		}
	}
	if !ns.JetStreamEnabled() {
		ns.Shutdown()
		return nil, fmt.Errorf("nats server could not open its store in %s; is another process using it?", cfg.Dir)
	}
	return &Server{ns: ns, failed: failed}, nil
}

// URL returns the address for clients, such as "nats://127.0.0.1:4222".
func (s *Server) URL() string { return s.ns.ClientURL() }

// Connect opens a connection that stays inside the process.
func (s *Server) Connect(name string) (*nats.Conn, error) {
	return nats.Connect("", nats.Name(name), nats.InProcessServer(s.ns), nats.MaxReconnects(-1))
}

// Failed receives the reason when the store has stopped to take writes, for example because the disk is full. The server takes none
// until it is started again, even when the disk has space again.
func (s *Server) Failed() <-chan error { return s.failed }

// Shutdown stops the server and waits until its store is closed.
func (s *Server) Shutdown() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
}

func probe(host string, port int) error {
	if port == server.RANDOM_PORT {
		return nil
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}

// logger passes what an operator must see to slog; the server's notices and traces stay quiet.
type logger struct {
	log *slog.Logger
	// fatal gets the first reason why the server gave up; the server would then wait for nothing.
	fatal chan<- string
	// failed gets the first reason why the store takes no more writes. The server tells that to nobody but its log.
	failed chan<- error
}

func (l logger) Noticef(string, ...any) {}
func (l logger) Debugf(string, ...any)  {}
func (l logger) Tracef(string, ...any)  {}

func (l logger) Warnf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.log.Warn(text)
	l.note(text)
}

func (l logger) Errorf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.log.Error(text)
	l.note(text)
}

// storeFailures are how the server's messages begin that say that a store takes no more writes.
var storeFailures = []string{
	"JetStream failed to store a msg", "JetStream out of", "Filesystem permission denied", "File system permission denied",
}

func (l logger) note(text string) {
	if !slices.ContainsFunc(storeFailures, func(begin string) bool { return strings.HasPrefix(text, begin) }) {
		return
	}
	select {
	case l.failed <- errors.New(text):
	default:
	}
}

func (l logger) Fatalf(format string, v ...any) {
	reason := fmt.Sprintf(format, v...)
	l.log.Error(reason)
	select {
	case l.fatal <- reason:
	default:
	}
}
