//go:build interop

package interop

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// toolFailed is the inspector's exit code for a tool result with isError.
const toolFailed = 5

// TestInspector drives the MCP inspector's command line; --strict fails on schemas that hosts are known to choke on.
func TestInspector(t *testing.T) {
	url := startDemo(t)
	for _, era := range []string{"legacy", "modern"} {
		t.Run(era, func(t *testing.T) {
			t.Run("tools/list", func(t *testing.T) {
				var list struct{ Tools []struct{ Name string } }
				inspect(t, &list, 0, url, era, "--method", "tools/list", "--strict")
				var names []string
				for _, tool := range list.Tools {
					names = append(names, tool.Name)
				}
				if diff := cmp.Diff(toolNames, names); diff != "" {
					t.Errorf("tools (-want +got):\n%s", diff)
				}
			})
			all := loadCalls(t)
			vehicleID := ""
			for _, call := range all.Answered {
				t.Run("tools/call "+call.Tool, func(t *testing.T) {
					arguments := fill(call.Arguments, vehicleID, "interop-inspector-"+era)
					got := inspectCall(t, 0, url, era, call.Tool, arguments)
					if got.Type != call.Response {
						t.Fatalf("type %q, want %q", got.Type, call.Response)
					}
					if len(got.Data.Vehicles) > 0 {
						vehicleID = got.Data.Vehicles[0].VehicleID
					}
				})
			}
			for _, call := range all.Refused {
				t.Run("refuses "+call.Name, func(t *testing.T) {
					got := inspectCall(t, toolFailed, url, era, call.Tool, call.Arguments)
					if got.Type != "aap.error" || got.Code != call.Code {
						t.Errorf("%s %s, want aap.error %s", got.Type, got.Code, call.Code)
					}
				})
			}
		})
	}
}

func inspectCall(t *testing.T, exit int, url, era, tool string, arguments json.RawMessage) response {
	t.Helper()
	var result struct{ StructuredContent response }
	inspect(t, &result, exit, url, era, "--method", "tools/call", "--tool-name", tool, "--tool-args-json", string(arguments))
	return result.StructuredContent
}

// inspect runs one inspector command, which must end with the exit code, and decodes the result it prints.
func inspect(t *testing.T, result any, exit int, url, era string, args ...string) {
	t.Helper()
	args = append([]string{"--cli", "--server-url", url, "--transport", "http", "--protocol-era", era, "--format", "json"}, args...)
	cmd := node(t, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", args...)
	out := output(t, cmd, exit)
	if got := cmd.ProcessState.ExitCode(); got != exit {
		t.Fatalf("exit code %d, want %d\n%s", got, exit, out)
	}
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
}
