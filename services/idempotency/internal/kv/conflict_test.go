package kv

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// refusing is a bucket whose changes the broker refuses with a code, as it may when another change came first.
type refusing struct {
	jetstream.KeyValue
	code jetstream.ErrorCode
}

func (r refusing) err() error {
	return fmt.Errorf("nats: %w", &jetstream.APIError{Code: 400, ErrorCode: r.code, Description: "wrong last sequence"})
}

func (r refusing) Create(context.Context, string, []byte, ...jetstream.KVCreateOpt) (uint64, error) {
	return 0, r.err()
}

func (r refusing) Update(context.Context, string, []byte, uint64) (uint64, error) { return 0, r.err() }

func (r refusing) Delete(context.Context, string, ...jetstream.KVDeleteOpt) error { return r.err() }

func TestChangeThatCameSecond_IsNoFailure(t *testing.T) {
	store, err := Open(t.Context(), natstest.Start(t).JetStream(), 72*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	key := idemkey.Key{Key: "k"}.Digest()
	first := domain.NewClaim("first", domain.Fingerprint{1}, time.Now(), time.Second)
	want, _, err := store.Insert(t.Context(), key, first)
	if err != nil {
		t.Fatal(err)
	}
	for name, code := range map[string]jetstream.ErrorCode{"one replica": 10071, "several": 10164} {
		t.Run(name, func(t *testing.T) {
			second := Store{bucket: refusing{store.bucket, code}}
			found, inserted, err := second.Insert(t.Context(), key, domain.Row{Owner: "second"})
			if err != nil || inserted {
				t.Fatalf("insert: inserted = %v, err = %v", inserted, err)
			}
			if diff := cmp.Diff(want, found); diff != "" {
				t.Error(diff)
			}
			if err := second.Replace(t.Context(), key, want.Revision, domain.Row{}); !errors.Is(err, app.ErrStale) {
				t.Errorf("replace: err = %v, want ErrStale", err)
			}
			if err := second.Remove(t.Context(), key, want.Revision); !errors.Is(err, app.ErrStale) {
				t.Errorf("remove: err = %v, want ErrStale", err)
			}
		})
	}
	other := Store{bucket: refusing{store.bucket, 10023}}
	if _, _, err := other.Insert(t.Context(), key, first); err == nil {
		t.Error("a broker that is out of resources passed for a row that exists")
	}
}
