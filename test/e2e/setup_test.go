package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"forecourt.internal/platform/pgtest"
	"forecourt.internal/test/internal/binary"
)

// system is forecourt with what it works on. A test may kill all of it and start it again on the same data.
type system struct {
	*binary.Process
	t   *testing.T
	run func() *binary.Process
	// broker and postgres are nil when they are embedded.
	broker      *broker
	postgres    *pgtest.Server
	postgresLog string // its file
}

// setUps are the ways to run forecourt.
var setUps = map[string]func(*testing.T) *system{"embedded": embedded, "NATS and Postgres": external}

// onEachSetUp runs a test on a system of each set-up.
func onEachSetUp(t *testing.T, test func(*testing.T, *system)) {
	t.Helper()
	t.Parallel()
	for name, start := range setUps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t))
		})
	}
}

// embedded is `forecourt demo`, with everything in one process.
func embedded(t *testing.T) *system {
	t.Helper()
	dir := t.TempDir()
	s := &system{t: t, run: func() *binary.Process { return startDemo(t, dir) }}
	s.Process = s.run()
	return s
}

// external is `forecourt serve` on servers of its own.
func external(t *testing.T) *system {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "postgres")
	s := &system{t: t, broker: startBroker(t), postgres: startPostgres(t, dir), postgresLog: filepath.Join(dir, "log")}
	s.run = func() *binary.Process {
		return binary.Run(t, "serve", "--nats-url", s.broker.url(), "--nats-monitor-urls", s.broker.monitorURL(),
			"--postgres-dsn", s.postgres.DSN())
	}
	s.Process = s.run()
	return s
}

// startPostgres runs a server in dir until the test ends. Where there is none to run, only one to connect to, the test is skipped.
func startPostgres(t *testing.T, dir string) *pgtest.Server {
	t.Helper()
	server, err := pgtest.Start(dir)
	if errors.Is(err, pgtest.ErrNotInstalled) && os.Getenv(pgtest.DSNEnv) != "" {
		t.Skip("Postgres is not installed here, so it cannot be killed")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(server.Resume(), server.Stop()); err != nil {
			t.Error(err)
		}
	})
	return server
}

// kill ends everything as a power cut would.
func (s *system) kill() {
	s.t.Helper()
	s.Process.Kill()
	if s.broker != nil {
		s.broker.kill()
		s.must(s.postgres.Kill())
	}
}

// start starts everything again.
func (s *system) start() {
	s.t.Helper()
	if s.broker != nil {
		s.broker.start()
		s.must(s.postgres.Restart())
	}
	s.Process = s.run()
}

func (s *system) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *system) agent(tenant string) *agent { return newAgent(s.TenantURL(tenant), current) }
