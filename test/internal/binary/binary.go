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
	if err := Build(Path, filepath.Join("..", "..", "cmd", "forecourt"), ".", UnderRace()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Build makes a binary of a package, as it is named in the directory, with the race detector or without.
func Build(path, dir, pkg string, race bool) error {
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", race), "-o", path, pkg)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s in %s: %w\n%s", pkg, dir, err, out)
	}
	return nil
}

// UnderRace says whether the race detector watches the tests; it should then watch the binaries too.
func UnderRace() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
