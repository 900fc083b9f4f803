package main

import "testing"

func TestRun_PassesSignalsAndTheExitCodeOn(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
		want    int
	}{
		{"success", []string{"true"}, 0},
		{"failure", []string{"sh", "-c", "exit 7"}, 7},
		{"the command has the DSN", []string{"sh", "-c", `[ "$FORECOURT_TEST_POSTGRES_DSN" = postgres://here ]`}, 0},
		{"ended by a signal", []string{"sh", "-c", "kill -KILL $$"}, 128 + 9},
		{"a signal to this process reaches the command", []string{"sh", "-c", `trap "exit 9" TERM; kill -TERM $PPID; while :; do :; done`}, 9},
		{"no such command", []string{"/no/such/command"}, exitNotStarted},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := run("postgres://here", c.command); got != c.want {
				t.Errorf("exit code = %d, want %d", got, c.want)
			}
		})
	}
}
