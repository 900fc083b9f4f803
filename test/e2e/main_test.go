package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
)

// binary is the path of the forecourt binary under test.
var binary string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "forecourt-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "forecourt")
	build := exec.Command("go", "build", fmt.Sprintf("-race=%t", underRace()), "-o", binary, ".")
	build.Dir = filepath.Join("..", "..", "cmd", "forecourt")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build cmd/forecourt: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// underRace says whether the race detector watches this suite; it then watches the binary too.
func underRace() bool {
	info, _ := debug.ReadBuildInfo()
	return slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}
