package interop

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// toolNames are the tools of a whole AAP endpoint, in the order in which tools/list must give them.
var toolNames = []string{
	"aap_dealer_information", "aap_inventory_facets", "aap_inventory_search", "aap_inventory_vehicle", "aap_lead_submit",
}

// calls is the content of calls.json, which every client works through.
type calls struct {
	Answered []answered `json:"answered"`
	Refused  []refused  `json:"refused"`
}

// answered is a call that must succeed. Its arguments may hold "$vehicle_id", a vehicle that a search returned before, and
// "$agent", a name no other client uses.
type answered struct {
	Tool      string          `json:"tool"`
	Response  string          `json:"response"`
	Arguments json.RawMessage `json:"arguments"`
}

// refused is a call to a known tool that must come back as an aap.error with this code.
type refused struct {
	Name      string          `json:"name"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Code      string          `json:"code"`
}

func loadCalls(t *testing.T) calls {
	t.Helper()
	raw, err := os.ReadFile("calls.json")
	if err != nil {
		t.Fatal(err)
	}
	var c calls
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatalf("calls.json: %v", err)
	}
	return c
}

// fill replaces the placeholders of an answered call's arguments.
func fill(arguments json.RawMessage, vehicleID, agent string) json.RawMessage {
	return json.RawMessage(strings.NewReplacer("$vehicle_id", vehicleID, "$agent", agent).Replace(string(arguments)))
}

// response is what the suite reads of a structured result.
type response struct {
	Type string `json:"type"`
	Code string `json:"code"` // of an aap.error
	Data struct {
		Vehicles []struct {
			VehicleID string `json:"vehicle_id"`
		} `json:"vehicles"`
	} `json:"data"`
}
