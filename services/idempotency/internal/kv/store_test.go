package kv_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
	"forecourt.internal/services/idempotency/internal/kv"
)

const retention = 72 * time.Hour

func open(t *testing.T, js jetstream.JetStream) *kv.Store {
	t.Helper()
	store, err := kv.Open(t.Context(), js, retention)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func TestOpen_KeepsRowsOnFileForTheRetention(t *testing.T) {
	js := natstest.Start(t).JetStream()
	open(t, js)
	stream, err := js.Stream(t.Context(), "KV_"+kv.Bucket)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	if cfg.Storage != jetstream.FileStorage || cfg.MaxAge != retention || cfg.MaxMsgsPerSubject != 1 {
		t.Errorf("storage %v, max age %v, history %d", cfg.Storage, cfg.MaxAge, cfg.MaxMsgsPerSubject)
	}
}

func TestOpen_BucketOfTheOperator(t *testing.T) {
	for name, test := range map[string]struct {
		ttl time.Duration
		ok  bool
	}{
		"keeps rows for ever":       {0, true},
		"for longer":                {retention + time.Hour, true},
		"for as long":               {retention, true},
		"for less than is promised": {retention - time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			js := natstest.Start(t).JetStream()
			if _, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: kv.Bucket, TTL: test.ttl}); err != nil {
				t.Fatal(err)
			}
			_, err := kv.Open(t.Context(), js, retention)
			if (err == nil) != test.ok || err != nil && !strings.Contains(err.Error(), "raise its TTL") {
				t.Errorf("err = %v, want ok = %v", err, test.ok)
			}
			bucket, err := js.KeyValue(t.Context(), kv.Bucket)
			if err != nil {
				t.Fatal(err)
			}
			status, err := bucket.Status(t.Context())
			if err != nil || status.TTL() != test.ttl {
				t.Errorf("TTL = %v, err = %v; want %v as before", status.TTL(), err, test.ttl)
			}
		})
	}
}

func TestStore_SurvivesRestart(t *testing.T) {
	broker := natstest.Start(t)
	key := idemkey.Key{Key: "k"}.Digest()
	want := domain.NewClaim("owner", domain.Fingerprint{1}, time.Now(), time.Second)
	if _, _, err := open(t, broker.JetStream()).Insert(t.Context(), key, want); err != nil {
		t.Fatal(err)
	}
	broker.Restart()
	got, ok, err := open(t, broker.JetStream()).Load(t.Context(), key)
	if err != nil || !ok || got.Owner != "owner" {
		t.Errorf("row = %+v, ok = %v, err = %v", got, ok, err)
	}
}

func TestStore_RefusesForeignRows(t *testing.T) {
	js := natstest.Start(t).JetStream()
	store := open(t, js)
	bucket, err := js.KeyValue(t.Context(), kv.Bucket)
	if err != nil {
		t.Fatal(err)
	}
	key := idemkey.Key{Key: "k"}.Digest()
	for _, row := range []string{`not json`, `{}`, `{"state":"claimed","fingerprint":"AAAA"}`} {
		if _, err := bucket.Put(t.Context(), key.String(), []byte(row)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Load(t.Context(), key); err == nil {
			t.Errorf("row %s was accepted", row)
		}
	}
}

// Refused attempts are the worst case: the key comes free 64 times, and every time all that wait want it.
func TestBegin_ManyAtOnce_NoStormOnTheBroker(t *testing.T) {
	const attempts, perAttempt = 64, 16
	broker := natstest.Start(t)
	js := broker.JetStream()
	registry := app.NewRegistry(open(t, js), 10*time.Second, time.Now)
	key := idemkey.Key{Key: "k"}.Digest()
	before := js.Conn().Stats().OutMsgs
	var all sync.WaitGroup
	for range attempts {
		all.Go(func() {
			claim, err := registry.Begin(context.Background(), key, domain.Fingerprint{1}, time.Minute)
			if err != nil || claim.Fresh == nil {
				t.Errorf("claim = %+v, err = %v; want fresh", claim, err)
				return
			}
			if err := registry.Release(context.Background(), key, claim.Fresh.Owner); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if sent := js.Conn().Stats().OutMsgs - before; sent > attempts*perAttempt {
		t.Errorf("%d messages for %d attempts", sent, attempts)
	} else {
		t.Logf("%d messages for %d attempts", sent, attempts)
	}
}
