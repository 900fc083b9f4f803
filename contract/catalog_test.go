package contract

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func generator(t testing.TB, retention time.Duration) *Generator {
	t.Helper()
	g, err := NewGenerator(retention)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// catalog is that of a dealership where every filter works.
func catalog(t testing.TB) []Tool {
	t.Helper()
	return generator(t, 0).Tools(nil)
}

// standalone compiles a tool's schema with nothing else at hand: no other file, no network.
func standalone(t testing.TB, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := newCompiler()
	if err := c.AddResource("urn:tool", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("urn:tool")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTools_FollowTheRegistry(t *testing.T) {
	var want, got []string
	for _, s := range Skills() {
		want = append(want, s.Tool)
	}
	for _, tool := range catalog(t) {
		got = append(got, tool.Name)
		if tool.Title == "" || tool.Description == "" {
			t.Errorf("%s has no title or description", tool.Name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTools_Hints(t *testing.T) {
	for _, tool := range catalog(t) {
		want := Annotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: true}
		if tool.Name == "aap_lead_submit" {
			want = Annotations{OpenWorldHint: true}
		}
		if diff := cmp.Diff(want, tool.Annotations); diff != "" {
			t.Errorf("%s: %s", tool.Name, diff)
		}
	}
}

func TestTools_JSONIsAnMCPTool(t *testing.T) {
	b, err := json.Marshal(catalog(t)[2])
	if err != nil {
		t.Fatal(err)
	}
	got := object(decode(t, string(b)))
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if object(got[name])["type"] != "object" {
			t.Errorf("%s is not of an object", name)
		}
		delete(got, name)
	}
	const filters = `["make", "model", "trim", "condition", "vehicle_type", "status", "body", "transmission", "fuel", "driveline",
		"exterior_color", "interior_color", "rooftops", "charge_port", "year_min", "year_max", "price_min", "price_max", "mileage_max",
		"displacement_cc_min", "displacement_cc_max", "electric_range_mi_min", "electric_range_mi_max", "dc_fast_charge", "vin", "stock",
		"query", "geo"]`
	want := decode(t, `{
		"name": "aap_inventory_search", "title": "Inventory search", "description": "`+Skills()[2].Description+`",
		"annotations": {"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true},
		"_meta": {"autoagentprotocol.org/aap": {
			"version": "3.0.0", "skill": "inventory.search",
			"request_type": "inventory.search.request", "response_type": "inventory.search.response",
			"schemas": {"request": "https://autoagentprotocol.org/v3.0/schemas/inventory-search-request.schema.json",
				"response": "https://autoagentprotocol.org/v3.0/schemas/inventory-search-response.schema.json", "error": "https://autoagentprotocol.org/v3.0/schemas/error.schema.json"},
			"capabilities": {"filters": `+filters+`,
				"sort_fields": ["price", "list_price", "msrp", "mileage", "year", "make", "model", "stock", "updated_at"],
				"pagination": {"default_limit": 20, "max_limit": 100}, "geo": {"measured_to": "rooftop", "radius_unit": "mi"}}
		}}}`)
	if diff := cmp.Diff(want, any(got)); diff != "" {
		t.Error(diff)
	}
}

func TestTools_LeadStatesItsRetention(t *testing.T) {
	for retention, want := range map[time.Duration]string{0: "72 hours", 24 * time.Hour: "24 hours", 100*time.Hour + time.Minute: "100 hours"} {
		if d := generator(t, retention).Tools(nil)[4].Description; !strings.Contains(d, want) {
			t.Errorf("%s: %q does not say %q", retention, d, want)
		}
	}
	if _, err := NewGenerator(23 * time.Hour); err == nil {
		t.Error("a retention of 23 hours was accepted")
	}
}

func TestCatalog_BytesAreDeterministic(t *testing.T) {
	first, err := json.Marshal(catalog(t))
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := json.Marshal(catalog(t))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("the catalog changed")
		}
	}
}

func TestCatalog_KeepsTheAuthorsOrder(t *testing.T) {
	input := string(catalog(t)[4].InputSchema)
	last := -1
	for _, part := range []string{`"title"`, `"properties":{"type"`, `"customer"`, `"consent"`, `"required":["type"`, `"dependentSchemas"`, `"$defs"`} {
		i := strings.Index(input, part)
		if i <= last {
			t.Errorf("%s is at %d, after %d", part, i, last)
		}
		last = i
	}
}

func TestCatalog_IsSelfContained(t *testing.T) {
	for _, tool := range catalog(t) {
		for _, schema := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			walk(decode(t, string(schema)), "", func(at string, v any) {
				name := at[strings.LastIndexByte(at, '/')+1:]
				if ref, ok := v.(string); ok && name == "$ref" && !strings.HasPrefix(ref, "#/$defs/") {
					t.Errorf("%s %s refers to %s", tool.Name, at, ref)
				}
				if slices.Contains([]string{"$id", "$schema", "$comment"}, name) {
					t.Errorf("%s has %s", tool.Name, at)
				}
			})
			standalone(t, schema)
		}
	}
}

func TestCatalog_InputRootHasNoConstraints(t *testing.T) {
	for _, tool := range catalog(t) {
		root := object(decode(t, string(tool.InputSchema)))
		if root["type"] != "object" {
			t.Errorf("%s: root type %v", tool.Name, root["type"])
		}
		for _, keyword := range rootConstraints {
			if _, ok := root[keyword]; ok {
				t.Errorf("%s: root has %s", tool.Name, keyword)
			}
		}
	}
}

// TestCatalog_ConstraintsSurvive guards the agreement tests: they would also pass if there were nothing to move.
func TestCatalog_ConstraintsSurvive(t *testing.T) {
	tools := catalog(t)
	vehicle, submit := standalone(t, tools[3].InputSchema), standalone(t, tools[4].InputSchema)
	if vehicle.Validate(decode(t, `{"type":"inventory.vehicle.request"}`)) == nil {
		t.Error("an unnamed vehicle is valid")
	}
	request := lead(t, nil)
	if err := submit.Validate(request); err != nil {
		t.Error(err)
	}
	request["appointment"] = map[string]any{"appointment_type": "test_drive"}
	if submit.Validate(request) == nil {
		t.Error("a test drive without a vehicle is valid")
	}
}

// withFile is the canonical set with one file changed.
func withFile(t *testing.T, name, schema string) map[string]ordered {
	t.Helper()
	files := map[string]ordered{}
	for _, name := range SchemaFiles() {
		files[name] = mustParse(name)
	}
	v, err := parseOrdered([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	files[name] = v.(ordered)
	return files
}

func TestGenerator_RefusesWhatItCannotTransform(t *testing.T) {
	tests := map[string]struct{ schema, want string }{
		"type not required":       {`{"type":"object","required":["vin"],"anyOf":[{"required":["vin"]}]}`, `"type" is not required`},
		"nothing required":        {`{"type":"object"}`, `"type" is not required`},
		"reference to no file":    {`{"required":["type"],"properties":{"a":{"$ref":"nothing.schema.json"}}}`, "names no schema file"},
		"reference into a schema": {`{"required":["type"],"properties":{"a":{"$ref":"vehicle.schema.json#/properties/vin"}}}`, "no known form"},
		"reference to nowhere":    {`{"required":["type"],"properties":{"a":{"$ref":"#/$defs/none"}}}`, "leads nowhere"},
		"remote reference":        {`{"required":["type"],"properties":{"a":{"$ref":"https://x.example/y.json"}}}`, "names no schema file"},
		"anchor":                  {`{"required":["type"],"properties":{"a":{"$anchor":"x"}}}`, "$anchor"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := newGenerator(withFile(t, "inventory-vehicle-request.schema.json", tt.schema), DefaultRetention)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestGenerator_TransformsRequestSchemas(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"every constraint moves": {
			`{"type":"object","required":["type"],"allOf":[{}],"anyOf":[{}],"oneOf":[{}],"not":{},"if":{},"then":{},"else":{},"properties":{"type":{}}}`,
			`{"type":"object","required":["type"],"properties":{"type":{}},"dependentSchemas":{"type":{"allOf":[{}],"anyOf":[{}],"oneOf":[{}],"not":{},"if":{},"then":{},"else":{}}}}`},
		"an existing dependency stays": {
			`{"required":["a","type"],"dependentSchemas":{"type":{"required":["b"]},"b":{"required":["c"]}},"not":{"required":["d"]}}`,
			`{"required":["a","type"],"dependentSchemas":{"type":{"allOf":[{"required":["b"]},{"not":{"required":["d"]}}]},"b":{"required":["c"]}}}`},
		"nested constraints stay": {
			`{"required":["type"],"properties":{"a":{"anyOf":[{"required":["x"]}]}}}`,
			`{"required":["type"],"properties":{"a":{"anyOf":[{"required":["x"]}]}}}`},
		"recursion ends": {
			`{"required":["type"],"properties":{"child":{"$ref":"#"},"node":{"$ref":"#/$defs/node"}},"$defs":{"node":{"properties":{"next":{"$ref":"#/$defs/node"},"root":{"$ref":"#"}}}}}`,
			`{"required":["type"],"properties":{"child":{"$ref":"#/$defs/inventory_vehicle_request"},"node":{"$ref":"#/$defs/inventory_vehicle_request_node"}},
			  "$defs":{
				"inventory_vehicle_request":{"required":["type"],"properties":{"child":{"$ref":"#/$defs/inventory_vehicle_request"},"node":{"$ref":"#/$defs/inventory_vehicle_request_node"}}},
				"inventory_vehicle_request_node":{"properties":{"next":{"$ref":"#/$defs/inventory_vehicle_request_node"},"root":{"$ref":"#/$defs/inventory_vehicle_request"}}}}}`},
		"data is not mistaken for schemas": {
			`{"$id":"x","$schema":"y","$comment":"z","required":["type"],"properties":{"$ref":{"const":{"$ref":"#/no"}},"$id":{"type":"string"}},"examples":[{"$id":"kept","$ref":"kept"}]}`,
			`{"required":["type"],"properties":{"$ref":{"const":{"$ref":"#/no"}},"$id":{"type":"string"}},"examples":[{"$id":"kept","$ref":"kept"}]}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g, err := newGenerator(withFile(t, "inventory-vehicle-request.schema.json", tt.in), DefaultRetention)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(decode(t, tt.want), decode(t, string(g.inputs[InventoryVehicle]))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInventoryCapabilities_FollowTheirSchema(t *testing.T) {
	for name, disabled := range map[string][]string{"all work": nil, "no geo": {"geo"}, "none works": Filters()} {
		b, err := json.Marshal(inventoryCapabilities(disabled))
		if err != nil {
			t.Fatal(err)
		}
		if err := validator(t).Document("inventory-capabilities.schema.json", decode(t, string(b))); err != nil {
			t.Errorf("%s: %+v", name, err.Problems)
		}
	}
}

func TestTools_SwitchedOffFilters_AreToldAndStillTakenBySchema(t *testing.T) {
	g := generator(t, 0)
	all, some := g.Tools(nil), g.Tools([]string{"query", "geo"})
	want := inventoryCapabilities(nil)
	want.Filters, want.Geo = slices.DeleteFunc(Filters(), func(name string) bool { return name == "query" || name == "geo" }), nil
	if diff := cmp.Diff(&want, some[2].Meta[MetaNamespace].(ToolMeta).Capabilities); diff != "" {
		t.Error(diff)
	}
	for i := range all {
		wantText := all[i].Description
		if all[i].Name == "aap_inventory_search" || all[i].Name == "aap_inventory_facets" {
			wantText += " Filters that do not work at this dealership: query, geo."
		}
		if some[i].Description != wantText {
			t.Errorf("%s: description %q, want %q", all[i].Name, some[i].Description, wantText)
		}
		if !bytes.Equal(all[i].InputSchema, some[i].InputSchema) || !bytes.Equal(all[i].OutputSchema, some[i].OutputSchema) {
			t.Errorf("%s has other schemas", all[i].Name)
		}
	}
}

func TestTools_SameFilters_SameBytes(t *testing.T) {
	g := generator(t, 0)
	var first []byte
	for _, disabled := range [][]string{{"geo", "query"}, {"query", "geo"}, {"geo", "query", "geo"}} {
		got, err := json.Marshal(g.Tools(disabled))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		}
		if !bytes.Equal(first, got) {
			t.Errorf("%v gives another catalog", disabled)
		}
	}
}

func TestInventoryCapabilities_PageLimitsAreTheSchemas(t *testing.T) {
	limit := object(object(object(object(decodeFile(t, "inventory-search-request.schema.json")["properties"])["pagination"])["properties"])["limit"])
	want := map[string]any{"default": json.Number("20"), "maximum": json.Number("100")}
	got := map[string]any{"default": limit["default"], "maximum": limit["maximum"]}
	if diff := cmp.Diff(want, got); diff != "" || DefaultPageLimit != 20 || MaxPageLimit != 100 {
		t.Error(diff)
	}
}

func decodeFile(t *testing.T, name string) map[string]any {
	b, _ := SchemaFile(name)
	return object(decode(t, string(b)))
}
