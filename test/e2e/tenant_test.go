package e2e

import (
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

const second = "second-honda"

// addSecond adds a dealership with three vehicles to a running system, as an operator does.
func addSecond(t *testing.T, p *binary.Process) *agent {
	t.Helper()
	operate(t, p, "", "tenant", "apply", "testdata/second.yaml")
	operate(t, p, "", "inventory", "import", "--tenant", second, "testdata/second.csv")
	a := newAgent(p.TenantURL(second), current)
	eventually(t, "the imported stock is served", func() bool {
		return must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{}, "")).Total == 3
	})
	return a
}

func TestTenant_AddedWhileRunning(t *testing.T) {
	t.Parallel()
	p := startDemo(t, t.TempDir())
	if answer, err := newAgent(p.TenantURL(second), current).request("tools/list", map[string]any{}); err != nil ||
		answer.Status != http.StatusNotFound || answer.Error == nil {
		t.Fatalf("a tenant nobody added: %+v, %v; want 404 with a JSON-RPC error", answer, err)
	}
	demo, added := newAgent(p.Endpoints["mcp"], current), addSecond(t, p)
	t.Run("sees nothing of another", func(t *testing.T) { seesNothingOfAnother(t, demo, added) })
	t.Run("the same key at two dealerships is two leads", func(t *testing.T) { sameKeyIsTwoLeads(t, p, demo, added) })
	t.Run("a disabled skill is no tool", func(t *testing.T) { disabledSkillIsNoTool(t, added) })
}

func seesNothingOfAnother(t *testing.T, demo, a *agent) {
	theirs := must[page](t, demo, "aap_inventory_search", searchArguments(map[string]any{}, ""))
	var stocks []string
	for _, v := range walk(t, a, map[string]any{}) {
		stocks = append(stocks, v.Stock)
		if v.Rooftop != "Second Honda" {
			t.Errorf("%+v is not of the second dealership", v)
		}
	}
	slices.Sort(stocks)
	if diff := cmp.Diff([]string{"H100", "H101", "H102"}, stocks); diff != "" {
		t.Errorf("stock:\n%s", diff)
	}

	for name, arguments := range map[string]map[string]any{
		"vehicle_id": {"vehicle_id": theirs.Vehicles[0].VehicleID}, "vin": {"vin": theirs.Vehicles[0].VIN},
		"stock": {"stock": theirs.Vehicles[0].Stock},
	} {
		arguments["type"] = "inventory.vehicle.request"
		if got := a.refuse(t, "aap_inventory_vehicle", arguments); got.Code != "VEHICLE_NOT_FOUND" {
			t.Errorf("a vehicle of another tenant by %s: %s, want VEHICLE_NOT_FOUND", name, got.Code)
		}
	}
	if got := a.refuse(t, "aap_inventory_search", searchArguments(map[string]any{}, theirs.NextCursor)); got.Code != "CURSOR_INVALID" {
		t.Errorf("a cursor of another tenant: %s, want CURSOR_INVALID", got.Code)
	}
	for _, v := range walk(t, demo, map[string]any{}) {
		if v.Rooftop == "Second Honda" {
			t.Errorf("%s of the second dealership is found at the first", v.Stock)
		}
	}
}

func sameKeyIsTwoLeads(t *testing.T, p *binary.Process, demo, a *agent) {
	first := must[outcome](t, demo, "aap_lead_submit", leadArguments("k"))
	result := a.call(t, "aap_lead_submit", leadArguments("k"))
	got := decode[struct{ Data outcome }](t, result.StructuredContent).Data
	if replayed(t, result) || got.LeadID == first.LeadID {
		t.Errorf("the second dealership answers with the lead of the first: %s", result.StructuredContent)
	}
	if diff := cmp.Diff(map[string]int{first.LeadID: 1, got.LeadID: 1}, leadEvents(t, p)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
	_, _, code := operator(t, p, "", "leads", "get", "--tenant", second, first.LeadID)
	if code == 0 {
		t.Error("a lead is found under another dealership")
	}
}

func disabledSkillIsNoTool(t *testing.T, a *agent) {
	want := []string{"aap_dealer_information", "aap_inventory_search", "aap_inventory_vehicle", "aap_lead_submit"}
	if diff := cmp.Diff(want, a.toolNames(t)); diff != "" {
		t.Errorf("tools:\n%s", diff)
	}
	answer, err := a.request("tools/call", map[string]any{
		"name": "aap_inventory_facets", "arguments": map[string]any{"type": "inventory.facets.request"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Error == nil || answer.Error.Code != -32602 {
		t.Errorf("answer = %s, %+v; want a protocol error as for an unknown tool", answer.Result, answer.Error)
	}
}
