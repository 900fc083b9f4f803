package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
	"forecourt.internal/services/idempotency/internal/postgres"
)

const retention = 72 * time.Hour

func config(dsn string) postgres.Config {
	return postgres.Config{DSN: dsn, Retention: retention, Now: time.Now, Logger: slog.New(slog.DiscardHandler)}
}

func open(t testing.TB, cfg postgres.Config) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(store.Close)
	return store
}

func connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func query[T any](t testing.TB, conn *pgx.Conn, sql string, args ...any) T {
	t.Helper()
	var v T
	if err := conn.QueryRow(t.Context(), sql, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

// untilAwaited returns when an attempt waits for some row.
func untilAwaited(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	for !query[bool](t, conn, "SELECT bool_or(awaited) FROM idempotency.claims") {
	}
}

// with adds a parameter to a DSN.
func with(dsn, name, value string) string {
	if u, err := url.Parse(dsn); err == nil && u.Scheme != "" {
		q := u.Query()
		q.Set(name, value)
		u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
		return u.String()
	}
	return fmt.Sprintf("%s %s='%s'", dsn, name, value)
}

func keyOf(name string) idemkey.Digest { return idemkey.Key{Key: name}.Digest() }

func claim(owner string) domain.Row {
	return domain.NewClaim(owner, domain.Fingerprint{1}, time.Now(), 10*time.Second)
}

func insert(t testing.TB, store *postgres.Store, key idemkey.Digest, owner string) app.Stored {
	t.Helper()
	row, inserted, err := store.Insert(t.Context(), key, claim(owner))
	if err != nil || !inserted {
		t.Fatalf("insert: inserted = %v, err = %v", inserted, err)
	}
	return row
}

func TestOpen_ReplicasThatStartTogether_OneMigrates(t *testing.T) {
	dsn := pgtest.Database(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			store, err := postgres.Open(t.Context(), config(dsn))
			if err != nil {
				t.Error(err)
				return
			}
			defer store.Close()
			if err := store.Ready(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := query[int](t, connect(t, dsn), "SELECT count(*) FROM pg_namespace WHERE nspname = 'idempotency'"); n != 1 {
		t.Errorf("%d schemas idempotency", n)
	}
}

func TestOpen_LeavesTheRestOfTheDatabaseAlone(t *testing.T) {
	dsn := pgtest.Database(t)
	conn := connect(t, dsn)
	outside := `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname NOT IN ('idempotency', 'pg_toast') AND n.nspname <> 'pg_catalog' AND n.nspname <> 'information_schema'`
	before := query[int](t, conn, outside)
	insert(t, open(t, config(dsn)), keyOf("k"), "owner")
	if after := query[int](t, conn, outside); after != before {
		t.Errorf("%d relations outside the schema, %d before", after, before)
	}
}

func TestOpen_WhatCannotBeReached_FailsAtOnce_WithoutThePassword(t *testing.T) {
	server, err := pgx.ParseConfig(pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, dsn := range map[string]string{
		"no DSN":         "postgres://user:canary/@:%zz@host:port",
		"no URL":         "host=127.0.0.1 password=canary port=none",
		"nobody listens": "host=127.0.0.1 port=1 user=u password=canary dbname=d",
		"wrong password": fmt.Sprintf("host=%s port=%d user=%s password=canary sslmode=disable", server.Host, server.Port, server.User),
		"no database": fmt.Sprintf("host=%s port=%d user=%s password=%s dbname=absent sslmode=disable",
			server.Host, server.Port, server.User, server.Password),
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, err := postgres.Open(t.Context(), config(dsn))
			if took := time.Since(began); err == nil || took > 20*time.Second {
				t.Fatalf("err = %v after %s", err, took)
			}
			for _, secret := range []string{"canary", "zz", server.Password} {
				if secret != "" && strings.Contains(err.Error(), secret) {
					t.Errorf("the error holds the password: %v", err)
				}
			}
		})
	}
}

func TestServerKilled_NotReady_AndBackByItself(t *testing.T) {
	server, err := pgtest.Start(filepath.Join(t.TempDir(), "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	store := open(t, config(server.DSN()))
	held := insert(t, store, keyOf("held"), "owner")
	waited := make(chan error, 1)
	go func() { waited <- store.Await(t.Context(), keyOf("held"), held.Revision) }()
	untilAwaited(t, connect(t, server.DSN()))
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := store.Ready(t.Context()); err == nil {
		t.Error("the server is away, yet ready")
	}
	if _, _, err := store.Insert(t.Context(), keyOf("k"), claim("owner")); err == nil {
		t.Error("inserted without a server")
	}
	if _, err := postgres.Open(t.Context(), config(server.DSN())); err == nil {
		t.Error("started without a server")
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := store.Ready(t.Context()); err != nil {
		t.Errorf("the server is back: %v", err)
	}
	insert(t, store, keyOf("k"), "owner")
	if got, ok, err := store.Load(t.Context(), keyOf("held")); err != nil || !ok || got.Owner != "owner" {
		t.Errorf("a granted claim is lost: %+v, %v, %v", got, ok, err)
	}
	if err := store.Replace(t.Context(), keyOf("held"), held.Revision, claim("later")); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Errorf("an attempt that waited all along: %v", err)
	}
}

// A database that was restored from a backup or emptied under the store is an empty store, not a broken one.
func TestReadOnlyDatabase_NotReady_AndBackByItself(t *testing.T) {
	for name, back := range map[string]func(t *testing.T, store *postgres.Store){
		"by readiness": func(t *testing.T, store *postgres.Store) {
			_ = store.Ready(t.Context()) // may be the last of a session that was opened before
			if err := store.Ready(t.Context()); err != nil {
				t.Error(err)
			}
		},
		"by the next claim": func(t *testing.T, store *postgres.Store) { insert(t, store, keyOf("k"), "owner") },
	} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			operator := connect(t, dsn)
			turn := func(readOnly string) {
				t.Helper()
				database := pgx.Identifier{query[string](t, operator, "SELECT current_database()")}.Sanitize()
				if _, err := operator.Exec(t.Context(), "ALTER DATABASE "+database+" SET default_transaction_read_only = "+readOnly); err != nil {
					t.Fatal(err)
				}
			}
			open(t, config(dsn)) // makes the tables
			turn("on")
			store := open(t, config(dsn))
			if err := store.Ready(t.Context()); err == nil {
				t.Error("ready, yet no claim can be granted")
			}
			if _, _, err := store.Insert(t.Context(), keyOf("k"), claim("owner")); err == nil {
				t.Error("claimed in a database that takes no changes")
			}
			turn("off")
			back(t, store)
		})
	}
}

func TestTablesGone_MadeAgain(t *testing.T) {
	for name, use := range map[string]func(t *testing.T, store *postgres.Store){
		"by readiness": func(t *testing.T, store *postgres.Store) {
			if err := store.Ready(t.Context()); err != nil {
				t.Error(err)
			}
		},
		"by the next claims": func(t *testing.T, store *postgres.Store) {
			var all sync.WaitGroup
			for n := range 16 {
				all.Go(func() {
					if _, inserted, err := store.Insert(t.Context(), keyOf(fmt.Sprint(n)), claim("owner")); err != nil || !inserted {
						t.Errorf("inserted = %v, err = %v", inserted, err)
					}
				})
			}
			all.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			dsn := pgtest.Database(t)
			store := open(t, config(dsn))
			insert(t, store, keyOf("k"), "owner")
			if _, err := connect(t, dsn).Exec(t.Context(), "DROP SCHEMA idempotency CASCADE"); err != nil {
				t.Fatal(err)
			}
			use(t, store)
			if err := store.Ready(t.Context()); err != nil {
				t.Error(err)
			}
			insert(t, store, keyOf("k"), "another") // what was there is forgotten
		})
	}
}

// Sessions that an operator ends, or a failover, break every connection at once.
func TestSessionsEnded_StatementsAreRunOnNewOnes(t *testing.T) {
	dsn := pgtest.Database(t)
	store := open(t, config(dsn))
	conn := connect(t, dsn)
	for range 10 {
		var all sync.WaitGroup
		for range 16 { // so that the pool has many connections
			all.Go(func() {
				if err := store.Ready(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		query[int](t, conn, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	}
}
