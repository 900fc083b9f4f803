package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

func TestDiskTakesNoMoreWrites_ProcessEnds_AndEveryAcknowledgedLeadIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// No file may grow beyond 2 MiB, which the log of leads comes to with the third of these. A full disk fails in the same way.
	p := binary.Start(t, "demo", dir, "sh", "-c", `ulimit -f 4096; exec "$0" "$@"`)
	a := newAgent(p.Endpoints["mcp"], current)
	acknowledged := map[string]int{}
	for i := 0; ; i++ {
		if i == 10 {
			t.Fatal("the log never reached its limit")
		}
		lead := leadArguments(fmt.Sprintf("large-%d", i))
		lead["vehicle_of_interest"] = map[string]any{"description": strings.Repeat("x", 700<<10)}
		result, err := a.try("aap_lead_submit", lead)
		if err != nil || result.IsError {
			break
		}
		acknowledged[decode[struct{ Data outcome }](t, result.StructuredContent).Data.LeadID] = 1
	}
	if code := p.Wait(); code != 1 {
		t.Errorf("exit code = %d, want 1", code)
	}
	p = startDemo(t, dir)
	if diff := cmp.Diff(acknowledged, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead (-acknowledged +in the log):\n%s", diff)
	}
}
