package storetest_test

import (
	"crypto/rand"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

// callers is how many attempts are at work at the same time.
const callers = 64

// BenchmarkBeginComplete is the common path of a lead, each under a key of its own, with servers that sync to disk.
func BenchmarkBeginComplete(b *testing.B) {
	outcome := []byte(fmt.Sprintf(`{"type":"lead.submit.response","data":{"lead_id":%q,"status":"received"}}`, rand.Text()))
	for _, s := range stores {
		b.Run(s.name, func(b *testing.B) {
			registry := app.NewRegistry(s.open(b), 10*time.Second, time.Now)
			b.ResetTimer()
			var next atomic.Int64
			var all sync.WaitGroup
			for range callers {
				all.Go(func() {
					for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
						key := idemkey.Key{Tenant: s.name, Key: fmt.Sprint(i)}.Digest()
						claim, err := registry.Begin(b.Context(), key, domain.Fingerprint{1}, 0)
						if err != nil || claim.Fresh == nil {
							b.Errorf("claim = %+v, err = %v; want fresh", claim, err)
							return
						}
						if err := registry.Complete(b.Context(), key, claim.Fresh.Owner, nil, outcome); err != nil {
							b.Error(err)
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}
