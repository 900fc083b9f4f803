package vehicle

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
)

// schemaOf is the schema that a rule of the fast path stands for.
func schemaOf(r rule) map[string]any {
	str := map[string]any{"type": "string"}
	uri := map[string]any{"type": "string", "format": "uri"}
	switch r.form {
	case aText:
		if r.one != nil {
			one := make([]any, len(r.one))
			for i, text := range r.one {
				one[i] = text
			}
			return map[string]any{"type": "string", "enum": one}
		}
		return str
	case aTextOrNull:
		return map[string]any{"type": []any{"string", "null"}}
	case aVIN:
		return map[string]any{"type": "string", "pattern": "^[A-HJ-NPR-Z0-9]{17}$"}
	case aTexts:
		return map[string]any{"type": "array", "items": str}
	case aURI:
		return uri
	case aURIs:
		return map[string]any{"type": "array", "items": uri}
	case anInteger:
		s := map[string]any{"type": "integer", "minimum": float64(r.min)}
		if r.max != 0 {
			s["maximum"] = float64(r.max)
		}
		return s
	case aNumber:
		return map[string]any{"type": "number", "minimum": 0.0}
	case aBoolean:
		return map[string]any{"type": "boolean"}
	case aDate:
		return map[string]any{"type": "string", "format": "date"}
	case aTime:
		return map[string]any{"type": "string", "format": "date-time"}
	case aFeeList:
		return map[string]any{"type": "array", "items": map[string]any{"$ref": "#/$defs/fee"}}
	case anAttributeSet:
		return map[string]any{"type": "object", "additionalProperties": map[string]any{
			"type":  []any{"string", "number", "boolean", "array"},
			"items": map[string]any{"type": []any{"string", "number", "boolean"}},
		}}
	case ours:
		return map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{
			"source": str, "observed_at": map[string]any{"type": "string", "format": "date-time"}, "event_id": str,
		}}
	default:
		return nil
	}
}

// TestRules_AreThoseOfTheSchema fails when the schema gets a member or keyword that the fast path does not know.
func TestRules_AreThoseOfTheSchema(t *testing.T) {
	text, ok := contract.SchemaFile("vehicle.schema.json")
	if !ok {
		t.Fatal("no vehicle schema")
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	properties := make(map[string]any)
	for member, name := range members {
		properties[name] = schemaOf(rules[member])
	}
	// The enum of condition is the listing's, which narrows the vehicle's.
	saleCondition := map[string]any{"enum": schemaOf(rules[condition])["enum"]}
	properties["condition"] = map[string]any{"type": "string", "enum": []any{"new", "used", "cpo", "excellent", "good", "fair", "poor"}}
	required := make([]any, len(requiredMembers))
	for i, member := range requiredMembers {
		required[i] = members[member]
	}
	want := map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": contract.SchemaBaseURL + "vehicle.schema.json",
		"type": "object", "properties": properties, "additionalProperties": true,
		"$defs": map[string]any{
			"fee": map[string]any{
				"type": "object", "additionalProperties": false, "required": []any{"name", "amount"},
				"properties": map[string]any{
					"name":   map[string]any{"type": "string", "minLength": 1.0, "maxLength": 120.0},
					"amount": map[string]any{"type": "integer", "minimum": 0.0},
				},
			},
			"listing": map[string]any{
				"$ref": "#", "properties": map[string]any{"condition": saleCondition}, "required": required,
			},
		},
	}
	if diff := cmp.Diff(want, withoutWords(schema)); diff != "" {
		t.Errorf("(-rules +schema)\n%s", diff)
	}
}

// withoutWords drops the keywords of a schema that do not bind. A map of properties has names that must stay.
func withoutWords(schema map[string]any) map[string]any {
	out := maps.Clone(schema)
	for _, keyword := range []string{"title", "description", "examples", "$comment"} {
		delete(out, keyword)
	}
	for keyword, value := range out {
		object, ok := value.(map[string]any)
		switch {
		case !ok:
		case keyword == "properties" || keyword == "$defs":
			named := make(map[string]any, len(object))
			for name, sub := range object {
				named[name] = withoutWords(sub.(map[string]any))
			}
			out[keyword] = named
		default:
			out[keyword] = withoutWords(object)
		}
	}
	return out
}
