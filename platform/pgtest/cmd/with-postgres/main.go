// Command with-postgres runs the rest of its command line with FORECOURT_TEST_POSTGRES_DSN set to a Postgres server:
//
//	with-postgres go test ./...
//
// The server is the one that the variable names already, else one from programs on the machine, which the Debian package brings
// when they are missing and it may be installed, else one in a container. A server that it started ends with the command. Signals go
// to the command, and its exit code is passed on; 125 says that there is no server, 126 that the command did not start.
//
// Start reading at choose.go.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Exit codes of with-postgres itself.
const (
	exitUsage      = 2
	exitNoServer   = 125
	exitNotStarted = 126
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: with-postgres COMMAND [ARGUMENT]...")
		os.Exit(exitUsage)
	}
	os.Exit(withPostgres(os.Args[1:]))
}

func withPostgres(command []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	s, err := choose(ctx, machine())
	if err != nil {
		say("%v", err)
		return exitNoServer
	}
	code := run(s.dsn, command)
	if err := s.stop(); err != nil {
		say("%v", err)
	}
	return code
}

// signals end a command.
var signals = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "with-postgres: "+format+"\n", args...) }
