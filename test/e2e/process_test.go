package e2e

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds everything that is waited for; nothing should come near it.
const patience = 60 * time.Second

// process is a running `forecourt demo` or `forecourt serve`.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	// endpoints are the printed ones by name: mcp, admin, nats, data.
	endpoints map[string]string
	logFile   string
	// closed is closed when the process has closed its standard output.
	closed chan struct{}
	ended  bool
}

// startDemo runs `forecourt demo` on free ports on a data directory until the test ends.
func startDemo(t *testing.T, dir string) *process { return start(t, "demo", dir) }

// start runs the system and returns once it has printed "ready".
func start(t *testing.T, command, dir string) *process {
	t.Helper()
	p := &process{t: t, endpoints: map[string]string{}, closed: make(chan struct{}), logFile: filepath.Join(t.TempDir(), "log")}
	log, err := os.Create(p.logFile)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(binary, command, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--nats-listen", "127.0.0.1:0",
		"--data-dir", dir)
	p.cmd.Stderr = log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		defer close(p.closed)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), " ")
			if name == "ready" {
				close(ready)
				continue
			}
			p.endpoints[name] = strings.TrimSpace(value)
		}
	}()
	t.Cleanup(p.cleanUp)
	select {
	case <-ready:
	case <-p.closed:
		t.Fatalf("forecourt %s ended before it was ready", command)
	case <-time.After(patience):
		t.Fatalf("forecourt %s is not ready after %s", command, patience)
	}
	return p
}

// tenantURL is the MCP endpoint of a tenant.
func (p *process) tenantURL(tenant string) string {
	base, _, _ := strings.Cut(p.endpoints["mcp"], "/aap/")
	return base + "/aap/v3.0/" + tenant + "/mcp"
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	p.t.Helper()
	p.terminate(syscall.SIGKILL)
}

// terminate sends a signal and returns the exit code, -1 when the signal itself ended the process.
func (p *process) terminate(signal syscall.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	return p.wait()
}

// wait waits for the end of a process that was asked to end and returns the exit code.
func (p *process) wait() int {
	p.t.Helper()
	p.ended = true
	tooLong := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
	defer tooLong.Stop()
	<-p.closed // Wait closes the pipe, so it must come after the last read
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

func (p *process) log() string {
	text, err := os.ReadFile(p.logFile)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *process) cleanUp() {
	if !p.ended {
		if code := p.terminate(syscall.SIGTERM); code != 0 {
			p.t.Errorf("exit code = %d, want 0", code)
		}
	}
	if strings.Contains(p.log(), "DATA RACE") {
		p.t.Error("the race detector found something")
	}
	if p.t.Failed() {
		p.t.Logf("log of the process:\n%s", p.log())
	}
}

// eventually waits until a condition holds that the system comes to by itself.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-timeout:
			t.Fatalf("still not after %s: %s", patience, what)
		}
	}
}
