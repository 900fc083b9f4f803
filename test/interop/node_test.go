//go:build interop

package interop

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// install runs `npm ci` unless node_modules is as new as the lock file. npm writes the marker last, so a broken install
// does not count.
var install = sync.OnceValue(func() error {
	marker, err := os.Stat(filepath.Join("node_modules", ".package-lock.json"))
	if err == nil {
		lock, err := os.Stat("package-lock.json")
		if err == nil && !marker.ModTime().Before(lock.ModTime()) {
			return nil
		}
	}
	if out, err := exec.Command("npm", "ci", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
		return errors.Join(err, errors.New(string(out)))
	}
	return nil
})

// node prepares a script of this directory to run under the Node that package.json pins, in a home of its own.
func node(t *testing.T, script string, args ...string) *exec.Cmd {
	t.Helper()
	if err := install(); err != nil {
		t.Fatalf("npm ci: %v", err)
	}
	bin, err := filepath.Abs(filepath.Join("node_modules", "node", "bin"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "node"), append([]string{script}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir())
	return cmd
}

// output returns what the command writes to stdout. Exit codes in allowed are fine too.
func output(t *testing.T, cmd *exec.Cmd, allowed ...int) string {
	t.Helper()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return string(out)
	}
	for _, code := range allowed {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == code {
			return string(out)
		}
	}
	t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args[1:], " "), err, out, &stderr)
	return ""
}
