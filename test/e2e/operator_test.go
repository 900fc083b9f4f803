package e2e

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"forecourt.internal/test/internal/binary"
)

// operator runs a command against a process and returns what it printed and its exit code.
func operator(t *testing.T, p *binary.Process, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary.Path, append(args, "--nats-url", p.Endpoints["nats"])...)
	var out, errOut bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// operate runs a command that must succeed.
func operate(t *testing.T, p *binary.Process, stdin string, args ...string) string {
	t.Helper()
	stdout, stderr, code := operator(t, p, stdin, args...)
	if code != 0 {
		t.Fatalf("forecourt %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}
