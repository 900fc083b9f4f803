package contract

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// eachSchema runs a test for every schema file with its document.
func eachSchema(t *testing.T, test func(t *testing.T, name string, doc map[string]any)) {
	for _, name := range SchemaFiles() {
		t.Run(name, func(t *testing.T) {
			b, ok := SchemaFile(name)
			if !ok {
				t.Fatal("listed but not there")
			}
			test(t, name, decode(t, string(b)).(map[string]any))
		})
	}
}

func TestSchemaFiles_AreTheWholeContract(t *testing.T) {
	want := []string{
		"address", "appointment", "consent-grant", "customer", "dealer-information", "dealer-information-request",
		"dealer-information-response", "error", "event-appointment-booked", "event-inventory-confirmed", "event-inventory-vehicle",
		"event-lead-repeated", "event-lead-submitted", "facets", "inventory-capabilities", "inventory-facets-request", "inventory-facets-response", "inventory-filters",
		"inventory-search-request", "inventory-search-response", "inventory-vehicle-request", "inventory-vehicle-response",
		"lead-submit-request", "lead-submit-response", "source-agent", "tenant", "vehicle",
	}
	for i := range want {
		want[i] += ".schema.json"
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, SchemaFiles()); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaFile_TakesNamesOnly(t *testing.T) {
	for _, name := range []string{"", ".", "../schemas.go", "schemas/vehicle.schema.json", `..\x`, "nothing.schema.json"} {
		if _, ok := SchemaFile(name); ok {
			t.Errorf("%q was found", name)
		}
	}
}

func TestSchemas_FollowTheMetaschema(t *testing.T) {
	meta, err := newCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	eachSchema(t, func(t *testing.T, name string, _ map[string]any) {
		b, _ := SchemaFile(name)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if err := meta.Validate(doc); err != nil {
			t.Error(err)
		}
	})
}

func TestSchemas_HaveTheirIDAndRelativeReferences(t *testing.T) {
	eachSchema(t, func(t *testing.T, name string, doc map[string]any) {
		if doc["$id"] != SchemaBaseURL+name {
			t.Errorf("$id = %v", doc["$id"])
		}
		walk(doc, "", func(at string, v any) {
			if ref, ok := v.(string); ok && path.Base(at) == "$ref" && strings.Contains(ref, ":") {
				t.Errorf("%s is absolute: %s", at, ref)
			}
		})
	})
}

func TestSchemas_ExamplesAreValid(t *testing.T) {
	eachSchema(t, func(t *testing.T, name string, doc map[string]any) {
		examples, _ := doc["examples"].([]any)
		if len(examples) == 0 {
			t.Error("no examples")
		}
		for i, example := range examples {
			if err := validator(t).Document(name, example); err != nil {
				t.Errorf("example %d: %v %+v", i, err, err.Problems)
			}
		}
		for member, schema := range object(doc["properties"]) {
			for i, example := range list(object(schema)["examples"]) {
				sample := map[string]any{member: example}
				for _, f := range validator(t).check(validator(t).files[name], sample) {
					if len(f.path) > 0 && f.path[0] == member {
						t.Errorf("example %d of %s: %+v", i, member, f.problem())
					}
				}
			}
		}
	})
}

func TestSchemas_DescribeEveryMember(t *testing.T) {
	eachSchema(t, func(t *testing.T, _ string, doc map[string]any) {
		walk(doc, "", func(at string, v any) {
			if path.Base(path.Dir(at)) != "properties" || strings.Contains(at, "/if/") {
				return
			}
			schema := object(v)
			if schema["description"] == nil && schema["$ref"] == nil && schema["enum"] == nil {
				t.Errorf("%s has no description", at)
			}
		})
	})
}

// The list repeats ours.go, so that neither the marks nor that page go stale alone.
func TestSchemas_MarkWhatIsOurs(t *testing.T) {
	want := []string{
		"error.schema.json/properties/code",
		"event-appointment-booked.schema.json",
		"event-inventory-confirmed.schema.json",
		"event-inventory-vehicle.schema.json",
		"event-lead-repeated.schema.json",
		"event-lead-submitted.schema.json",
		"inventory-capabilities.schema.json",
		"inventory-filters.schema.json/properties/geo",
		"tenant.schema.json",
		"vehicle.schema.json/properties/evidence",
	}
	var got []string
	for _, name := range SchemaFiles() {
		b, _ := SchemaFile(name)
		walk(decode(t, string(b)), "", func(at string, v any) {
			if path.Base(at) == "$comment" && v == "ours" {
				got = append(got, strings.TrimSuffix(name+path.Dir(at), "/"))
			}
		})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestErrorSchema_KnowsEveryCode(t *testing.T) {
	b, _ := SchemaFile(errorSchema)
	var want []any
	for _, code := range Codes() {
		want = append(want, string(code))
	}
	got := list(object(object(object(decode(t, string(b)))["properties"])["code"])["enum"])
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTenantSchema_SwitchesEveryFilterOff(t *testing.T) {
	var want []any
	for _, name := range Filters() {
		want = append(want, name)
	}
	disabled := object(object(decodeFile(t, "tenant.schema.json")["properties"])["disabled_filters"])
	if diff := cmp.Diff(want, list(object(disabled["items"])["enum"])); diff != "" {
		t.Error(diff)
	}
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }

func list(v any) []any { l, _ := v.([]any); return l }

// walk visits every value with its place, members in sorted order.
func walk(v any, at string, visit func(at string, v any)) {
	visit(at, v)
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			walk(v[name], at+"/"+name, visit)
		}
	case []any:
		for _, item := range v {
			walk(item, at+"/-", visit)
		}
	}
}
