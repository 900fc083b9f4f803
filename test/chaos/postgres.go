package chaos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/pgtest"
)

// Postgres is a database, on a server of the harness's own where the machine has the programs.
type Postgres struct {
	url    *url.URL
	server *pgtest.Server
}

// StartPostgres makes a database with its data in dir, until the test ends. On a machine without the programs it is one on the server
// that tests are given, which cannot be killed.
func StartPostgres(t *testing.T, dir string) *Postgres {
	t.Helper()
	p := &Postgres{}
	server, err := pgtest.Start(filepath.Join(dir, "postgres"))
	dsn := ""
	switch {
	case errors.Is(err, pgtest.ErrNotInstalled):
		dsn = pgtest.Database(t)
	case err != nil:
		t.Fatal(err)
	default:
		t.Cleanup(func() { server.Kill() }) // its data goes with the directory
		p.server, dsn = server, server.DSN()
	}
	if p.url, err = url.Parse(dsn); err != nil || p.url.Host == "" {
		t.Fatalf("%s is no URL with a host", pgtest.DSNEnv)
	}
	return p
}

// Killable says whether the server is the harness's own.
func (p *Postgres) Killable() bool { return p.server != nil }

// Kill ends the server as a power cut would, and Restart starts it again.
func (p *Postgres) Kill() error { return p.server.Kill() }

// Restart starts the server on its data and port.
func (p *Postgres) Restart() error {
	if err := p.server.Restart(); err != nil {
		return fmt.Errorf("start Postgres again: %w", err)
	}
	return nil
}

// Forget deletes every row of the idempotency service: the log decides on its own then.
func (p *Postgres) Forget(ctx context.Context) error {
	return p.query(ctx, "WITH gone AS (DELETE FROM idempotency.claims RETURNING 1) SELECT count(*) FROM gone", new(int))
}

// Customers counts the rows of the idempotency service with a customer's value in them.
func (p *Postgres) Customers(ctx context.Context) (n int, err error) {
	err = p.query(ctx, "SELECT count(*) FROM idempotency.claims c WHERE concat(c::text, encode(outcome, 'escape')) ~ '"+
		strings.Join(quoted(Canaries), "|")+"'", &n)
	return n, err
}

func (p *Postgres) query(ctx context.Context, sql string, count *int) error {
	conn, err := pgx.Connect(ctx, p.url.String())
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return conn.QueryRow(ctx, sql).Scan(count)
}

// Address is where the server listens.
func (p *Postgres) Address() string {
	return net.JoinHostPort(p.url.Hostname(), cmp.Or(p.url.Port(), "5432"))
}

// DSN returns the URL of the database through another address.
func (p *Postgres) DSN(address string) string {
	u := *p.url
	u.Host = address
	return u.String()
}
