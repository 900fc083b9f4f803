//go:build interop

package interop

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTypeScript drives both lines of the official TypeScript SDK through clients/checks.mjs.
func TestTypeScript(t *testing.T) {
	url := startDemo(t)
	cases := []struct {
		name, script string
		args         []string
	}{
		{"sdk 1.x", "clients/sdk-1x.mjs", []string{"2025-11-25"}},
		{"client 2.x legacy", "clients/client-2x.mjs", []string{"2025-11-25", "legacy"}},
		{"client 2.x auto", "clients/client-2x.mjs", []string{"2026-07-28", "auto"}},
		{"client 2.x pinned", "clients/client-2x.mjs", []string{"2026-07-28", "pin"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out := output(t, node(t, c.script, append([]string{url}, c.args...)...))
			finished := false
			for line := range strings.Lines(out) {
				var check struct{ Name, Error string }
				if err := json.Unmarshal([]byte(line), &check); err != nil {
					t.Fatalf("%v in %q", err, line)
				}
				if finished = check.Name == "finished"; finished {
					continue
				}
				t.Run(check.Name, func(t *testing.T) {
					if check.Error != "" {
						t.Error(check.Error)
					}
				})
			}
			if !finished {
				t.Errorf("the client stopped early:\n%s", out)
			}
		})
	}
}
