package pgtest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// script runs a program as its child. A line on standard input ends the program in order. Standard input closes when the process
// that started it is gone, however it went: then the program ends at once, and the directory $1, unless it is "", with it.
// Standard error closes when the program is gone.
const script = `gone=$1; shift
"$@" </dev/null >/dev/null &
exec 2>/dev/null
if read -r line; then
  kill -INT $!; kill -CONT $!
  wait $!
else
  kill -QUIT $!; kill -CONT $!
  wait $!
  [ -z "$gone" ] || rm -rf "$gone"
fi`

// stopWithin bounds an orderly end, which writes a checkpoint.
const stopWithin = time.Minute

// guard is the process that runs the script.
type guard struct {
	stdin  io.WriteCloser
	lines  chan string   // what the program writes to standard error, until it is gone
	exited chan struct{} // closed once err is set
	err    error         // of the program
}

// startGuard runs a program as the account. Its lines must be received.
func (a account) startGuard(dir, gone, program string, args ...string) (*guard, error) {
	cmd := a.command(dir, "/bin/sh", append([]string{"-c", script, "sh", gone, program}, args...)...)
	stdin, inErr := cmd.StdinPipe()
	stderr, errErr := cmd.StderrPipe()
	if err := errors.Join(inErr, errErr); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &guard{stdin: stdin, lines: make(chan string), exited: make(chan struct{})}
	go g.follow(cmd, bufio.NewScanner(stderr))
	return g, nil
}

func (g *guard) follow(cmd *exec.Cmd, stderr *bufio.Scanner) {
	for stderr.Scan() {
		g.lines <- stderr.Text()
	}
	close(g.lines)
	g.err = cmd.Wait()
	close(g.exited)
}

// end asks for an orderly end, and waits for it. It does nothing to a program that is gone.
func (g *guard) end() error {
	_, _ = io.WriteString(g.stdin, "stop\n") // fails when the guard is gone, too
	select {
	case <-g.exited:
		return nil
	case <-time.After(stopWithin):
		return fmt.Errorf("stop Postgres: it still runs after %v", stopWithin)
	}
}
