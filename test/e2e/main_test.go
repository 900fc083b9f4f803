package e2e

import (
	"os"
	"testing"
	"time"

	"forecourt.internal/test/internal/binary"
)

func TestMain(m *testing.M) { os.Exit(binary.Main(m)) }

// startDemo runs `forecourt demo` on free ports on a data directory until the test ends.
func startDemo(t *testing.T, dir string) *binary.Process { return binary.Start(t, "demo", dir) }

// eventually waits until a condition holds that the system comes to by itself.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(binary.Patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-timeout:
			t.Fatalf("still not after %s: %s", binary.Patience, what)
		}
	}
}
