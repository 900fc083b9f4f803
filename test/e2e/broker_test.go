package e2e

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"forecourt.internal/test/internal/binary"
)

// broker is a NATS server as a process of its own, which keeps its addresses and data over restarts.
type broker struct {
	t                    *testing.T
	path, dir            string
	listen, monitor, log string
	cmd                  *exec.Cmd
}

// startBroker runs a server until the test ends.
func startBroker(t *testing.T) *broker {
	t.Helper()
	path, err := binary.NATS()
	if err != nil {
		t.Fatal(err)
	}
	b := &broker{t: t, path: path, dir: t.TempDir(), listen: steadyAddress(t), monitor: steadyAddress(t)}
	b.log = filepath.Join(b.dir, "log")
	config := fmt.Sprintf(`listen: "%s", http: "%s", max_payload: 2MB, jetstream {store_dir: "%s", sync_interval: always}`,
		b.listen, b.monitor, filepath.ToSlash(b.dir))
	if err := os.WriteFile(b.config(), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		b.kill()
		if t.Failed() {
			text, _ := os.ReadFile(b.log) // the test has failed already
			t.Logf("log of NATS:\n%s", text)
		}
	})
	b.start()
	return b
}

// steadyAddress is one that nobody listens on, below those that systems give to outgoing connections: one of these could take the place of
// a server that is down.
func steadyAddress(t *testing.T) string {
	t.Helper()
	const first, last = 10000, 14999
	for range 1000 {
		address := fmt.Sprintf("127.0.0.1:%d", first+rand.IntN(last-first+1))
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatalf("no port from %d to %d is free", first, last)
	return ""
}

func (b *broker) config() string     { return filepath.Join(b.dir, "nats.conf") }
func (b *broker) url() string        { return "nats://" + b.listen }
func (b *broker) monitorURL() string { return "http://" + b.monitor }

// start returns once the server has recovered its streams.
func (b *broker) start() {
	b.t.Helper()
	log, err := os.OpenFile(b.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		b.t.Fatal(err)
	}
	defer log.Close()
	b.cmd = exec.Command(b.path, "-c", b.config())
	b.cmd.Stdout, b.cmd.Stderr = log, log
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	eventually(b.t, "NATS is healthy", func() bool {
		resp, err := http.Get(b.monitorURL() + "/healthz")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
}

// kill ends a server, also one that is paused. It does nothing to one that is gone.
func (b *broker) kill() {
	b.t.Helper()
	if b.cmd == nil || b.cmd.ProcessState != nil {
		return
	}
	b.signal(syscall.SIGKILL)
	_ = b.cmd.Wait() // it says that the signal ended it
}

func (b *broker) signal(signal syscall.Signal) {
	b.t.Helper()
	if err := b.cmd.Process.Signal(signal); err != nil {
		b.t.Error(err)
	}
}
