package postgres_test

import (
	"log/slog"
	"testing"
	"time"

	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/postgres"
	"forecourt.internal/services/idempotency/internal/storetest"
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

func TestStore_BehavesAsEveryStore(t *testing.T) {
	storetest.Run(t, open(t, config(pgtest.Database(t))))
}
