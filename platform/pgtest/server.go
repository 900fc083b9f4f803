package pgtest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// superuser is the name of the one user of a server.
const superuser = "forecourt"

// Server is a Postgres server of this process. It listens on a port of 127.0.0.1, which it keeps over restarts, and wants the
// password in its DSN. Its methods are not for concurrent use.
type Server struct {
	dir       string
	temporary bool // dir is deleted at the end
	binaries  string
	account   account
	password  string
	port      int
	running   *postmaster
}

// Start makes a server whose data and log are in dir, which is created when it is missing, and returns when it takes connections.
// A root process runs it as the user postgres or nobody, who must be able to enter dir and becomes its owner: below os.TempDir that
// always works. The error is ErrNotInstalled when the machine has no Postgres. The server ends with Stop, Kill or this process.
func Start(dir string) (*Server, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("start Postgres in %s: %w", dir, err)
	}
	s := &Server{dir: abs}
	if err := s.start(); err != nil {
		return nil, err
	}
	return s, nil
}

// StartTemporary is Start in a temporary directory that is deleted at the end, also when this process ends without Stop.
func StartTemporary() (*Server, error) {
	dir, err := os.MkdirTemp("", "forecourt-postgres-")
	if err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}
	s := &Server{dir: dir, temporary: true}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
}

// DSN returns the URL of the server's database postgres, with its superuser and password.
func (s *Server) DSN() string {
	u := url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, s.password),
		Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)), Path: "/postgres", RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Stop ends the server in order: its sessions are cut, its data is complete.
func (s *Server) Stop() error {
	if err := s.running.end(); err != nil {
		return err
	}
	if s.temporary {
		return os.RemoveAll(s.dir)
	}
	return nil
}

// Kill ends every process of the server with SIGKILL.
func (s *Server) Kill() error { return s.running.kill() }

// Pause stops every process of the server with SIGSTOP, which works on Linux: connections stay, and nothing answers on them. A server
// that is paused must be resumed or killed before it can end in order.
func (s *Server) Pause() error { return s.running.signal(syscall.SIGSTOP) }

// Resume lets a paused server go on.
func (s *Server) Resume() error { return s.running.signal(syscall.SIGCONT) }

// Restart starts the server again on the same data and port, after Kill or Stop or instead of them, and returns when it takes
// connections.
func (s *Server) Restart() error {
	if err := s.running.end(); err != nil {
		return err
	}
	return s.run()
}

// start makes the database cluster and runs the server on a free port.
func (s *Server) start() (err error) {
	if s.binaries, err = Binaries(); err != nil {
		return err
	}
	if s.account, err = serverAccount(); err != nil {
		return err
	}
	s.password = rand.Text()
	if err := s.initialize(); err != nil {
		return fmt.Errorf("make a Postgres cluster in %s: %w", s.dir, err)
	}
	for range 5 { // another process may take the port between the look and the use
		if s.port, err = freePort(); err != nil {
			return err
		}
		if err = s.run(); !errors.Is(err, errPortTaken) {
			return err
		}
	}
	return err
}

func (s *Server) initialize() error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if err := errors.Join(s.account.own(s.dir), s.account.openWay(s.dir)); err != nil {
		return err
	}
	password := filepath.Join(s.dir, "password")
	if err := os.WriteFile(password, []byte(s.password+"\n"), 0o600); err != nil {
		return err
	}
	if err := s.account.own(password); err != nil {
		return err
	}
	return s.initdb("--pgdata="+s.data(), "--username="+superuser, "--pwfile="+password, "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C", "--no-sync")
}

// initdb runs under a guard, too: this process may be killed meanwhile.
func (s *Server) initdb(args ...string) error {
	g, err := s.account.startGuard(s.dir, s.gone(), filepath.Join(s.binaries, "initdb"), args...)
	if err != nil {
		return err
	}
	var said string
	for line := range g.lines {
		said += "\n" + line
	}
	if err := errors.Join(g.end(), g.err); err != nil {
		return fmt.Errorf("initdb: %w%s", err, said)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// gone is the directory to delete when this process ends without Stop, or "".
func (s *Server) gone() string {
	if s.temporary {
		return s.dir
	}
	return ""
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
