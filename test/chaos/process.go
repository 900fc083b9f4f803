package chaos

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Process is a program that is killed, paused and started again on the same addresses and data. While it should run, it is started
// again whenever it ends, as a cluster would do.
type Process struct {
	Name string

	path, dir string
	args, env []string
	probe     string // URL that answers 200 when it is ready
	log       *os.File

	mu      sync.Mutex
	wanted  bool
	cmd     *exec.Cmd
	ended   chan struct{} // of cmd
	retired chan struct{} // closed when it will not be started again
	// unasked are the ends that nobody asked for after it had been ready.
	unasked  []string
	wasReady bool
}

// backoff is the pause before a process that has ended is started again.
const backoff = 300 * time.Millisecond

// Start runs the process until Kill or Stop.
func (p *Process) Start() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted {
		return nil
	}
	p.wanted, p.retired = true, make(chan struct{})
	return p.launch()
}

// launch needs p.mu.
func (p *Process) launch() error {
	cmd := exec.Command(p.path, p.args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.Stdout, cmd.Stderr = p.log, p.log
	if err := spawn(cmd); err != nil {
		return fmt.Errorf("start %s: %w", p.Name, err)
	}
	p.cmd, p.ended, p.wasReady = cmd, make(chan struct{}), false
	go p.supervise(cmd, p.ended, p.retired)
	return nil
}

func (p *Process) supervise(cmd *exec.Cmd, ended, retired chan struct{}) {
	cmd.Wait() // a non-zero exit is looked at below
	close(ended)
	p.mu.Lock()
	if p.wanted && p.wasReady {
		p.unasked = append(p.unasked, cmd.ProcessState.String())
	}
	p.mu.Unlock()
	select {
	case <-time.After(backoff):
	case <-retired:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted && p.cmd == cmd {
		if err := p.launch(); err != nil {
			p.unasked = append(p.unasked, err.Error())
		}
	}
}

// Kill ends the process with SIGKILL, also a paused one, and waits until it is gone.
func (p *Process) Kill() { p.end(syscall.SIGKILL, 0) }

// Stop asks the process to end and returns how it did. One that takes longer than within is killed.
func (p *Process) Stop(within time.Duration) string {
	return p.end(syscall.SIGTERM, within)
}

func (p *Process) end(signal syscall.Signal, within time.Duration) string {
	p.mu.Lock()
	if !p.wanted {
		p.mu.Unlock()
		return "not running"
	}
	p.wanted = false
	close(p.retired)
	cmd, ended := p.cmd, p.ended
	p.mu.Unlock()
	cmd.Process.Signal(signal) // one that has just ended needs none
	if signal != syscall.SIGKILL {
		late := time.AfterFunc(within, func() { cmd.Process.Kill() })
		defer late.Stop()
	}
	<-ended
	return cmd.ProcessState.String()
}

// Signal sends a signal that does not end the process, such as SIGSTOP.
func (p *Process) Signal(signal syscall.Signal) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.wanted {
		p.cmd.Process.Signal(signal) // one that has just ended needs none
	}
}

// Ready returns nil when the process says that it can do its work.
func (p *Process) Ready(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.probe, nil)
	if err != nil {
		return err
	}
	resp, err := probes.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", p.probe, resp.Status)
	}
	p.mu.Lock()
	p.wasReady = true
	p.mu.Unlock()
	return nil
}

// probes opens a connection for each question, so that none is to a process that is gone.
var probes = &http.Client{Timeout: 3 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// Unasked returns the ends of the process that nobody asked for. A process that was never ready may end: it was started while
// something it needs was away.
func (p *Process) Unasked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.unasked
}
