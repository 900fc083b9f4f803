//go:build interop

package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

const conformance = "node_modules/@modelcontextprotocol/conformance/dist/index.js"

// unmet is the runner's exit code when any check fails, excused or not.
const unmet = 1

// TestConformance runs every server scenario that the MCP conformance runner has for a revision, on that revision's wire.
// The runner expects a fixture server, so conformance-exceptions.yaml says which checks do not hold here; all others must.
func TestConformance(t *testing.T) {
	url := startDemo(t)
	exceptions, err := LoadExceptions("conformance-exceptions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	scenarios := map[string][]string{}
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		scenarios[revision] = listScenarios(t, revision)
		t.Run(revision, func(t *testing.T) {
			results := t.TempDir()
			output(t, node(t, conformance, "server", "--url", url, "--suite", "all", "--spec-version", revision,
				"--output-dir", results), unmet)
			for _, scenario := range scenarios[revision] {
				t.Run(scenario, func(t *testing.T) {
					for _, problem := range exceptions.Judge(revision, scenario, readChecks(t, results, scenario)) {
						t.Error(problem)
					}
				})
			}
		})
	}
	for _, stray := range exceptions.Strays(scenarios) {
		t.Error(stray)
	}
}

// listScenarios returns the names of a revision's server scenarios, as `list` prints them: "  - ping [2025-11-25]".
func listScenarios(t *testing.T, revision string) []string {
	t.Helper()
	out := output(t, node(t, conformance, "list", "--server", "--spec-version", revision))
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^  - (\S+)`).FindAllStringSubmatch(out, -1) {
		names = append(names, match[1])
	}
	if len(names) == 0 {
		t.Fatalf("no scenarios in %q", out)
	}
	return names
}

// readChecks returns a scenario's verdicts from <results>/server-<scenario>-<time>/checks.json.
func readChecks(t *testing.T, results, scenario string) []Check {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(results, "server-"+scenario+"-????-??-??T*", "checks.json"))
	if err != nil || len(paths) != 1 {
		t.Fatalf("results of %s: %v, %v; want one file", scenario, paths, err)
	}
	raw, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	var checks []Check
	if err := json.Unmarshal(raw, &checks); err != nil {
		t.Fatalf("%s: %v", paths[0], err)
	}
	return checks
}
