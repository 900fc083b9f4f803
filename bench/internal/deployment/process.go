package deployment

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	readyWithin = time.Minute
	endWithin   = time.Minute
)

// process is a program that says when it is ready.
type process struct {
	name string
	cmd  *exec.Cmd
	// said is what was printed up to the line that says that it is ready.
	said  []string
	ended chan struct{}
}

// output chooses where a program says that it is ready.
type output func(*exec.Cmd) (io.ReadCloser, error)

// start runs a program until it prints a line that holds ready. What it logs goes to a file beside it.
func start(path string, env []string, from output, ready string, args ...string) (*process, error) {
	p := &process{name: path[strings.LastIndexByte(path, '/')+1:], ended: make(chan struct{})}
	log, err := os.Create(path + ".log")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p.cmd = exec.Command(path, args...)
	p.cmd.Env = append(os.Environ(), env...)
	out, err := from(p.cmd)
	if err != nil {
		return nil, err
	}
	if p.cmd.Stderr == nil {
		p.cmd.Stderr = log
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	lines := make(chan string)
	go p.follow(out, lines)
	deadline := time.After(readyWithin)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				text, _ := os.ReadFile(path + ".log")
				return nil, fmt.Errorf("%s ended before it was ready: %s\n%s", p.name, strings.Join(p.said, "\n"), text)
			}
			p.said = append(p.said, line)
			if strings.Contains(line, ready) {
				go drain(lines)
				return p, nil
			}
		case <-deadline:
			go drain(lines)
			return nil, fmt.Errorf("%s was not ready within %s: %w", p.name, readyWithin, p.stop())
		}
	}
}

func drain(lines <-chan string) {
	for range lines {
	}
}

func (p *process) follow(out io.Reader, lines chan<- string) {
	for s := bufio.NewScanner(out); s.Scan(); {
		lines <- s.Text()
	}
	close(lines)
	_ = p.cmd.Wait() // how it ended is in its log
	close(p.ended)
}

// endpoint is the rest of the printed line that begins with a prefix.
func (p *process) endpoint(prefix string) string {
	for _, line := range p.said {
		if _, after, found := strings.Cut(line, prefix); found {
			return after
		}
	}
	return ""
}

// stop asks the process to end, and sees to it that it does.
func (p *process) stop() error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails when it has ended
	select {
	case <-p.ended:
		return nil
	case <-time.After(endWithin):
		_ = p.cmd.Process.Kill()
		<-p.ended
		return fmt.Errorf("%s did not end within %s", p.name, endWithin)
	}
}
