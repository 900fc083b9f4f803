// Package binary builds the forecourt binary and runs it as a process, for tests that use it as its users do. Start reading at
// process.go.
package binary

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
)

// Path is where the binary is while Main runs the tests.
var Path string

// Main builds the binary, runs a package's tests and returns their exit code. A TestMain passes that to os.Exit.
func Main(m *testing.M) int {
	dir, err := os.MkdirTemp("", "forecourt-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	Path = filepath.Join(dir, "forecourt")
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", underRace()), "-o", Path, ".")
	build.Dir = filepath.Join("..", "..", "cmd", "forecourt")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build cmd/forecourt: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// underRace says whether the race detector watches the tests; it then watches the binary too.
func underRace() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
