// Package eventually lets tests wait for what another goroutine or process comes to by itself and tells nobody but who asks.
package eventually

import (
	"testing"
	"time"
)

const (
	// every is the pause between two questions.
	every = 5 * time.Millisecond
	// within only ends a test that fails.
	within = 30 * time.Second
)

// Is asks until the answer is yes, and fails the test when it is not in 30 seconds; what says what was waited for.
func Is(t testing.TB, what string, reached func() bool) {
	t.Helper()
	tick, late := time.NewTicker(every), time.NewTimer(within)
	defer tick.Stop()
	defer late.Stop()
	for !reached() {
		select {
		case <-tick.C:
		case <-late.C:
			t.Fatalf("not within %s: %s", within, what)
		}
	}
}
