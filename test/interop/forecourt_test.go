package interop

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds a whole start or stop of the demo; neither should come near it.
const patience = 60 * time.Second

var binaryDir string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "forecourt-interop-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binaryDir = dir
	return m.Run()
}

var binary = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaryDir, "forecourt")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join("..", "..", "cmd", "forecourt")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build cmd/forecourt: %w\n%s", err, out)
	}
	return path, nil
})

// startDemo runs `forecourt demo` on free ports with data of its own until the test ends, and returns its MCP URL.
func startDemo(t *testing.T) string {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "demo", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0",
		"--data-dir", t.TempDir())
	var log bytes.Buffer
	cmd.Stderr = &log
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}

	endpoints := map[string]string{}
	ready, closed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(closed)
		lines := bufio.NewScanner(stdout)
		for waiting := true; lines.Scan(); {
			fields := strings.Fields(lines.Text())
			switch {
			case !waiting: // only keep the pipe from filling up
			case len(fields) == 1 && fields[0] == "ready":
				waiting = false
				close(ready)
			case len(fields) >= 2:
				endpoints[fields[0]] = fields[1]
			}
		}
	}()
	t.Cleanup(func() {
		stop(t, cmd, closed)
		if t.Failed() {
			t.Logf("log of forecourt demo:\n%s", &log)
		}
	})

	select {
	case <-ready:
	case <-closed:
		t.Fatal("forecourt demo ended before it was ready")
	case <-time.After(patience):
		t.Fatalf("forecourt demo is not ready after %s", patience)
	}
	url, ok := endpoints["mcp"]
	if !ok {
		t.Fatalf("no mcp endpoint among those printed: %v", endpoints)
	}
	return url
}

// stop interrupts the process and waits for it; one that does not drain is killed, and that is a failure.
func stop(t *testing.T, cmd *exec.Cmd, closed <-chan struct{}) {
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	kill := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	defer kill.Stop()
	<-closed // Wait closes the pipe, so it must come after the last read
	if err := cmd.Wait(); err != nil {
		t.Errorf("forecourt demo, interrupted: %v", err)
	}
}
