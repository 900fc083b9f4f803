package pgtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// postmaster is one run of a server.
type postmaster struct {
	*guard
	pid  int
	gone chan struct{} // closed when the process is
}

// Reasons why a server does not start that another attempt may not have.
var (
	errPortTaken  = errors.New("another process has the port")
	errStillThere = errors.New("a killed server's process still holds its memory")
)

// memoryWithin bounds the wait for the memory of a killed server.
const memoryWithin = 10 * time.Second

// run starts the server on the data and returns when it takes connections.
func (s *Server) run() error {
	for start := time.Now(); ; {
		p, err := s.runOnce()
		if errors.Is(err, errStillThere) && time.Since(start) < memoryWithin {
			continue
		}
		if err != nil {
			return fmt.Errorf("start Postgres in %s: %w", s.dir, err)
		}
		s.running = p
		return nil
	}
}

func (s *Server) runOnce() (*postmaster, error) {
	log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	g, err := s.account.startGuard(s.dir, s.gone(), filepath.Join(s.binaries, "postgres"), "-D", s.data(),
		"-c", "listen_addresses=127.0.0.1", "-c", "port="+strconv.Itoa(s.port), "-c", "unix_socket_directories=",
		"-c", "max_connections=300", "-c", "logging_collector=off", "-c", "log_destination=stderr")
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	p := &postmaster{guard: g, gone: make(chan struct{})}
	ready := make(chan error, 1)
	go p.follow(log, ready)
	if err := <-ready; err != nil {
		return nil, errors.Join(err, p.end())
	}
	p.pid, err = readPID(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return nil, errors.Join(err, p.end())
	}
	return p, nil
}

// follow writes the log until the server is gone. It sends nil to ready when the server takes connections, or why it does not.
func (p *postmaster) follow(log *os.File, ready chan<- error) {
	defer close(p.gone)
	defer log.Close()
	var said string
	waiting := true
	for line := range p.lines {
		fmt.Fprintln(log, line)
		if waiting {
			said += "\n" + line
		}
		if waiting && strings.Contains(line, "database system is ready to accept connections") {
			waiting = false
			ready <- nil
		}
	}
	if waiting {
		ready <- failure(said)
	}
}

// failure is the error of a server that logged this and ended.
func failure(said string) error {
	reason := errors.New("it ended")
	switch {
	case strings.Contains(said, "Address already in use"):
		reason = errPortTaken
	case strings.Contains(said, "is still in use"):
		reason = errStillThere
	}
	return fmt.Errorf("%w; its log:%s", reason, said)
}

// readPID reads the first line of a postmaster.pid.
func readPID(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return strconv.Atoi(string(line))
}

// kill ends the server's processes with SIGKILL and waits until the first of them is gone. It does nothing to a server that is gone.
func (p *postmaster) kill() error {
	select {
	case <-p.gone:
	default:
		_ = syscall.Kill(p.pid, syscall.SIGSTOP) // so that it starts no more of them
		for _, child := range children(p.pid) {
			_ = syscall.Kill(child, syscall.SIGKILL)
		}
		if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("kill Postgres: %w", err)
		}
	}
	return p.end()
}

// signal reaches every process of the server, the first one before those that it starts. One that has just ended needs none.
func (p *postmaster) signal(signal syscall.Signal) error {
	if err := syscall.Kill(p.pid, signal); err != nil {
		return fmt.Errorf("signal %v to Postgres: %w", signal, err)
	}
	for _, child := range children(p.pid) {
		_ = syscall.Kill(child, signal)
	}
	return nil
}

// children lists the processes that the process started, on Linux. Elsewhere they notice by themselves that it is gone.
func children(pid int) []int {
	var found []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well formed
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // gone
		}
		// "4711 (postgres) S 4700 …": the name may hold anything.
		_, after, _ := bytes.Cut(text[max(0, bytes.LastIndexByte(text, ')')):], []byte(" "))
		fields := bytes.Fields(after)
		if len(fields) > 1 && string(fields[1]) == strconv.Itoa(pid) {
			child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			found = append(found, child)
		}
	}
	return found
}
