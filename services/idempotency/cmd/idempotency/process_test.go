package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"forecourt.internal/platform/eventually"
	"forecourt.internal/platform/pgtest"
)

// patience bounds what a process or a store does by itself.
const patience = 30 * time.Second

func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "idempotency")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// process is the built binary with settings of its own.
type process struct {
	*exec.Cmd
	endpoints map[string]string // once it is ready
	log       bytes.Buffer      // to read once it has ended
}

// start returns when the process is ready or has ended.
func start(t *testing.T, binary string, settings ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(binary), endpoints: map[string]string{}}
	p.Env = append(settings, "FORECOURT_LISTEN=127.0.0.1:0", "FORECOURT_ADMIN=127.0.0.1:0")
	p.Stderr = &p.log
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "ready"; {
		name, value, _ := strings.Cut(lines.Text(), " ")
		p.endpoints[name] = value
	}
	return p
}

// ends waits for the process and returns its exit code.
func (p *process) ends(t *testing.T) int {
	t.Helper()
	late := time.AfterFunc(patience, func() { p.Process.Kill() })
	defer late.Stop()
	p.Wait()
	return p.ProcessState.ExitCode()
}

func (p *process) readyz(t *testing.T) int {
	t.Helper()
	resp, err := http.Get(p.endpoints["admin"] + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func (p *process) until(t *testing.T, status int) {
	t.Helper()
	eventually.Is(t, fmt.Sprintf("readyz is %d", status), func() bool { return p.readyz(t) == status })
}

func TestProcess_OnPostgres(t *testing.T) {
	binary := build(t)
	t.Run("without a store ends with 2", func(t *testing.T) {
		p := start(t, binary, "FORECOURT_LEASE=1s", "FORECOURT_POSTGRES_DSN=postgres://u:secret@h:port/d")
		code, log := p.ends(t), p.log.String()
		if code != 2 || strings.Count(log, "\n") != 3 || !strings.Contains(log, "FORECOURT_LEASE") || strings.Contains(log, "secret") {
			t.Errorf("exit code %d, log:\n%s", code, log)
		}
	})
	t.Run("that is away at the start ends with 1", func(t *testing.T) {
		p := start(t, binary, "FORECOURT_POSTGRES_DSN=postgres://u:secret@127.0.0.1:1/d")
		if code, log := p.ends(t), p.log.String(); code != 1 || !strings.Contains(log, "127.0.0.1:1") || strings.Contains(log, "secret") {
			t.Errorf("exit code %d, log:\n%s", code, log)
		}
	})
	t.Run("needs no NATS, and is ready while Postgres is there", func(t *testing.T) {
		server, err := pgtest.Start(t.TempDir())
		if errors.Is(err, pgtest.ErrNotInstalled) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer server.Stop()
		p := start(t, binary, "FORECOURT_POSTGRES_DSN="+server.DSN())
		if got := p.readyz(t); got != http.StatusOK {
			t.Errorf("readyz = %d when it says that it is ready; log:\n%s", got, &p.log)
		}
		if err := server.Kill(); err != nil {
			t.Fatal(err)
		}
		p.until(t, http.StatusServiceUnavailable)
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		p.until(t, http.StatusOK)
		p.Process.Signal(syscall.SIGTERM)
		if code := p.ends(t); code != 0 {
			t.Errorf("exit code %d, log:\n%s", code, &p.log)
		}
	})
}
