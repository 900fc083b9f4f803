package binary

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Patience bounds everything that is waited for; nothing should come near it.
const Patience = 60 * time.Second

// Process is a running `forecourt demo` or `forecourt serve`.
type Process struct {
	// Endpoints are the printed ones by name: mcp, admin, nats, postgres, data.
	Endpoints map[string]string
	// Closed is closed when the process has closed its standard output.
	Closed chan struct{}

	t       *testing.T
	cmd     *exec.Cmd
	logFile string
	ended   bool
}

// Start runs "demo" or "serve" on free ports on a data directory until the test ends. It returns once "ready" is printed. under is
// a command line that runs the rest of the command line, such as a shell that sets a limit.
func Start(t *testing.T, command, dir string, under ...string) *Process {
	t.Helper()
	return run(t, under, command, "--nats-listen", "127.0.0.1:0", "--data-dir", dir)
}

// Run is Start with other flags than those of the embedded NATS server.
func Run(t *testing.T, command string, flags ...string) *Process {
	t.Helper()
	return run(t, nil, command, flags...)
}

func run(t *testing.T, under []string, command string, flags ...string) *Process {
	t.Helper()
	p := &Process{t: t, Endpoints: map[string]string{}, Closed: make(chan struct{}), logFile: filepath.Join(t.TempDir(), "log")}
	log, err := os.Create(p.logFile)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	line := slices.Concat(under, []string{Path, command, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, flags)
	p.cmd = exec.Command(line[0], line[1:]...)
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
		defer close(p.Closed)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), " ")
			if name == "ready" {
				close(ready)
				continue
			}
			p.Endpoints[name] = strings.TrimSpace(value)
		}
	}()
	t.Cleanup(p.cleanUp)
	select {
	case <-ready:
	case <-p.Closed:
		t.Fatalf("forecourt %s ended before it was ready", command)
	case <-time.After(Patience):
		t.Fatalf("forecourt %s is not ready after %s", command, Patience)
	}
	return p
}

// TenantURL is the MCP endpoint of a tenant.
func (p *Process) TenantURL(tenant string) string {
	base, _, _ := strings.Cut(p.Endpoints["mcp"], "/aap/")
	return base + "/aap/v3.0/" + tenant + "/mcp"
}

// Kill ends the process as a power cut would.
func (p *Process) Kill() {
	p.t.Helper()
	p.Terminate(syscall.SIGKILL)
}

// Signal sends a signal and does not wait. A process that has just ended needs none.
func (p *Process) Signal(signal syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// Terminate sends a signal and returns the exit code, -1 when the signal itself ended the process.
func (p *Process) Terminate(signal syscall.Signal) int {
	p.t.Helper()
	p.Signal(signal)
	return p.Wait()
}

// Wait waits for the end of a process that was asked to end and returns the exit code.
func (p *Process) Wait() int {
	p.t.Helper()
	p.ended = true
	tooLong := time.AfterFunc(Patience, func() { p.cmd.Process.Kill() })
	defer tooLong.Stop()
	<-p.Closed // Wait closes the pipe, so it must come after the last read
	var exit *exec.ExitError
	if err := p.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// Log is what the process has logged so far.
func (p *Process) Log() string {
	text, err := os.ReadFile(p.logFile)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

func (p *Process) cleanUp() {
	if !p.ended {
		if code := p.Terminate(syscall.SIGTERM); code != 0 {
			p.t.Errorf("exit code = %d, want 0", code)
		}
	}
	if strings.Contains(p.Log(), "DATA RACE") {
		p.t.Error("the race detector found something")
	}
	if p.t.Failed() {
		p.t.Logf("log of the process:\n%s", p.Log())
	}
}
