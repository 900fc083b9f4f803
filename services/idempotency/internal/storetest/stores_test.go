package storetest_test

import (
	"log/slog"
	"testing"
	"time"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/pgtest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/kv"
	"forecourt.internal/services/idempotency/internal/postgres"
	"forecourt.internal/services/idempotency/internal/storetest"
)

// stores are all there are, each on a server with nothing else in it.
var stores = []struct {
	name string
	open func(testing.TB) app.Store
}{
	{"kv", func(t testing.TB) app.Store {
		store, err := kv.Open(t.Context(), natstest.Start(t).JetStream(), 72*time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return store
	}},
	{"postgres", func(t testing.TB) app.Store {
		store, err := postgres.Open(t.Context(), postgres.Config{
			DSN: pgtest.Database(t), Retention: 72 * time.Hour, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(store.Close)
		return store
	}},
}

func TestStores_BehaveAlike(t *testing.T) {
	for _, s := range stores {
		t.Run(s.name, func(t *testing.T) { storetest.Run(t, s.open(t)) })
	}
}
