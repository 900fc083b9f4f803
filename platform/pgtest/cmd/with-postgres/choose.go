package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/pgtest"
)

// server is a Postgres server to run a command with.
type server struct {
	dsn  string
	stop func() error
}

// errNotHere says that the machine does not have what a way to a server needs.
var errNotHere = errors.New("not on this machine")

// way is one way to come by a server. It returns errNotHere, perhaps wrapped, to pass the choice on.
type way func(ctx context.Context) (server, error)

// machine is the order of choice on this machine.
func machine() []way {
	return []way{
		named(os.Getenv(pgtest.DSNEnv)),
		installed(pgtest.StartTemporary),
		debian(pgtest.StartTemporary),
		container("docker"),
		container("podman"),
	}
}

// choose returns a server of the first way that works. The error is one line that says what to install.
func choose(ctx context.Context, ways []way) (server, error) {
	for _, w := range ways {
		s, err := w(ctx)
		if err == nil || !errors.Is(err, errNotHere) {
			return s, err
		}
		if ctx.Err() != nil {
			return server{}, ctx.Err()
		}
	}
	return server{}, fmt.Errorf("%w, or start docker or podman", pgtest.ErrNotInstalled)
}

// named is the server of a DSN that was given. One that does not answer is an error: it was meant.
func named(dsn string) way {
	return func(ctx context.Context) (server, error) {
		if dsn == "" {
			return server{}, errNotHere
		}
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return server{}, fmt.Errorf("use the server of %s: %w", pgtest.DSNEnv, err)
		}
		return server{dsn, func() error { return nil }}, conn.Close(ctx)
	}
}

// installed is a server from the machine's own programs.
func installed(start func() (*pgtest.Server, error)) way {
	return func(context.Context) (server, error) {
		s, err := start()
		if errors.Is(err, pgtest.ErrNotInstalled) {
			return server{}, errNotHere
		}
		if err != nil {
			return server{}, err
		}
		return server{s.DSN(), s.Stop}, nil
	}
}
