package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"forecourt.internal/platform/pgtest"
)

// run runs the command with the DSN, forwards signals to it and returns its exit code; 128 and the signal's number when one ended it.
func run(dsn string, command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), pgtest.DSNEnv+"="+dsn)
	received := make(chan os.Signal, 8)
	signal.Notify(received, signals...)
	defer signal.Stop(received)
	if err := cmd.Start(); err != nil {
		say("%v", err)
		return exitNotStarted
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-received:
			_ = cmd.Process.Signal(s) // fails when the command has ended
		case err := <-ended:
			return exitCode(err)
		}
	}
}

func exitCode(err error) int {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}
