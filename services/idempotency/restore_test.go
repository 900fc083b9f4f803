package idempotency_test

import (
	"testing"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency"
)

func TestRestore_RowsLost_ReplayedAsBefore(t *testing.T) {
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			service := create(t, store(t))
			k := key()
			outcome := idempotency.Outcome{
				Digest:         idemkey.Key{Tenant: k.Tenant, Caller: k.Caller, Skill: k.Skill, Key: k.Key}.Digest(),
				FirstClaimedAt: time.Now().Add(-time.Hour), Outcome: []byte("outcome"),
			}
			for _, want := range []bool{true, false} { // the second is there already
				if restored, err := service.Restore(t.Context(), outcome); restored != want || err != nil {
					t.Fatalf("restored = %v, err = %v; want %v", restored, err, want)
				}
			}
			got, err := serve(t, service, nil).Begin(t.Context(), beginRequest())
			if err != nil || string(got.GetReplay().GetOutcome()) != "outcome" {
				t.Errorf("replay = %v, err = %v", got, err)
			}
		})
	}
}

func TestRestore_ClaimedLongerAgoThanTheRetention_Left(t *testing.T) {
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			cfg := store(t)
			cfg.Retention = 48 * time.Hour
			service := create(t, cfg)
			for ago, want := range map[time.Duration]bool{47 * time.Hour: true, 49 * time.Hour: false} {
				outcome := idempotency.Outcome{
					Digest: idemkey.Key{Key: ago.String()}.Digest(), FirstClaimedAt: time.Now().Add(-ago), Outcome: []byte("outcome"),
				}
				if restored, err := service.Restore(t.Context(), outcome); restored != want || err != nil {
					t.Errorf("%s ago: restored = %v, err = %v; want %v", ago, restored, err, want)
				}
			}
		})
	}
}
