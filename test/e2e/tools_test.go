package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/test/internal/binary"
)

var allTools = []string{
	"aap_dealer_information", "aap_inventory_facets", "aap_inventory_search", "aap_inventory_vehicle", "aap_lead_submit",
}

func (a *agent) toolNames(t *testing.T) []string {
	t.Helper()
	answer, err := a.request("tools/list", map[string]any{})
	if err != nil || answer.Error != nil {
		t.Fatalf("tools/list: %v, %+v", err, answer.Error)
	}
	var names []string
	for _, tool := range decode[struct{ Tools []struct{ Name string } }](t, answer.Result).Tools {
		names = append(names, tool.Name)
	}
	return names
}

func TestTools_EveryOneOnBothRevisions(t *testing.T) {
	t.Parallel()
	p := startDemo(t, t.TempDir())
	for _, revision := range []string{current, compat} {
		t.Run(revision, func(t *testing.T) {
			a := newAgent(p.Endpoints["mcp"], revision)
			if diff := cmp.Diff(allTools, a.toolNames(t)); diff != "" {
				t.Errorf("tools:\n%s", diff)
			}

			dealer := must[struct {
				Name     string
				Rooftops []struct{ Name string }
			}](t, a, "aap_dealer_information", map[string]any{"type": "dealer.information.request"})
			if dealer.Name != "Demo Toyota" || len(dealer.Rooftops) != 2 {
				t.Errorf("dealer = %+v", dealer)
			}

			facets := must[struct {
				Makes []struct {
					Value string
					Count int
				}
			}](t, a, "aap_inventory_facets", map[string]any{"type": "inventory.facets.request"})
			found := must[page](t, a, "aap_inventory_search", searchArguments(map[string]any{"make": []string{"toyota"}}, ""))
			if len(facets.Makes) < 5 || facets.Makes[0].Value != "Toyota" || facets.Makes[0].Count != found.Total {
				t.Errorf("makes = %+v, a search for the first finds %d", facets.Makes, found.Total)
			}

			want := found.Vehicles[0]
			vehicle := must[listing](t, a, "aap_inventory_vehicle", map[string]any{"type": "inventory.vehicle.request", "vin": want.VIN})
			if diff := cmp.Diff(want, vehicle); diff != "" {
				t.Errorf("vehicle:\n%s", diff)
			}

			lead := must[outcome](t, a, "aap_lead_submit", leadArguments("tools-"+revision))
			if lead.LeadID == "" || lead.Status != "received" {
				t.Errorf("lead = %+v", lead)
			}
		})
	}
}

func TestTools_LeadStatesTheRetentionThatItIsRunWith(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := binary.Run(t, "serve", "--nats-listen", "127.0.0.1:0", "--data-dir", dir, "--retention", "36h")
	a := addDealership(t, p, "retention")
	answer, err := a.request("tools/list", map[string]any{})
	if err != nil || answer.Error != nil {
		t.Fatalf("tools/list: %v, %+v", err, answer.Error)
	}
	type hints struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool }
	yes, no := new(bool), new(bool)
	*yes = true
	for _, tool := range decode[struct {
		Tools []struct {
			Name, Description string
			Annotations       hints
		}
	}](t, answer.Result).Tools {
		if tool.Name != "aap_lead_submit" {
			continue
		}
		if !strings.Contains(tool.Description, "36 hours") {
			t.Errorf("description %q does not state the retention", tool.Description)
		}
		if diff := cmp.Diff(hints{no, no, no, yes}, tool.Annotations); diff != "" {
			t.Errorf("hints:\n%s", diff)
		}
		return
	}
	t.Error("there is no tool for leads")
}
