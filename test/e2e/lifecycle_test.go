package e2e

import (
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

func TestDemo_StartedAgain_KeepsWhatWasChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startDemo(t, dir)
	addSecond(t, p)
	changed := strings.Replace(operate(t, p, "", "tenant", "get", "demo-toyota"), "name: Demo Toyota\n", "name: Renamed Toyota\n", 1)
	operate(t, p, changed, "tenant", "apply", "-")
	lead := must[outcome](t, newAgent(p.Endpoints["mcp"], current), "aap_lead_submit", leadArguments("kept"))
	stock := walk(t, newAgent(p.Endpoints["mcp"], current), map[string]any{})
	if code := p.Terminate(syscall.SIGTERM); code != 0 {
		t.Fatalf("exit code = %d, want 0", code)
	}

	p = startDemo(t, dir)
	a := newAgent(p.Endpoints["mcp"], current)
	dealer := must[struct{ Name string }](t, a, "aap_dealer_information", map[string]any{"type": "dealer.information.request"})
	if dealer.Name != "Renamed Toyota" {
		t.Errorf("name = %q, want the one that was applied", dealer.Name)
	}
	if diff := cmp.Diff(stock, walk(t, a, map[string]any{})); diff != "" {
		t.Errorf("stock:\n%s", diff)
	}
	if total := must[page](t, newAgent(p.TenantURL(second), current), "aap_inventory_search", searchArguments(map[string]any{}, "")).Total; total != 3 {
		t.Errorf("the second dealership has %d vehicles, want 3", total)
	}
	if diff := cmp.Diff(map[string]int{lead.LeadID: 1}, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}

func TestServe_StartsWithNoTenant(t *testing.T) {
	t.Parallel()
	p := binary.Start(t, "serve", t.TempDir())
	if list := operate(t, p, "", "tenant", "list", "--json"); strings.TrimSpace(list) != "[]" {
		t.Errorf("tenants = %s, want none", list)
	}
	addSecond(t, p)
}
