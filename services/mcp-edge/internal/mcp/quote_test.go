package mcp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/services/mcp-edge/internal/skill"
)

// hostile draws strings out of everything that JSON, server-sent events or scripts treat specially.
func hostile() *rapid.Generator[string] {
	special := rapid.SampledFrom([]rune("\"\\/<>&'\b\f\n\r\t\u0000\u001f\u007f\u0085\u2028\u2029\ufeff\ufffd\U0001f697é世"))
	return rapid.OneOf(rapid.StringOf(special), rapid.String(), rapid.StringOf(rapid.OneOf(special, rapid.RuneFrom([]rune("abc {}[]:,")))))
}

func TestAppendQuoted_IsTheSameText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		quoted := appendQuoted([]byte("before"), []byte(text))[len("before"):]
		var got string
		if err := json.Unmarshal(quoted, &got); err != nil {
			t.Fatalf("%q is no JSON string: %v", quoted, err)
		}
		if got != strings.ToValidUTF8(text, "\ufffd") {
			t.Errorf("%q became %q", text, got)
		}
	})
}

// R-CALL: structuredContent and the text block hold the same JSON, byte for byte, in both formats.
func TestR_CALL_TextAndStructuredContentAreTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		payload, err := json.Marshal(map[string]any{hostile().Draw(t, "name"): hostile().Draw(t, "value"), "type": "x"})
		if err != nil {
			t.Fatal(err)
		}
		members := appendResult(nil, request{correlationID: "c"}, skill.Result{Payload: payload})
		var result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
		if err := json.Unmarshal([]byte("{"+string(members)+"}"), &result); err != nil {
			t.Fatalf("%v in %s", err, members)
		}
		if diff := cmp.Diff(string(payload), result.Content[0].Text); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(string(payload), string(result.StructuredContent)); diff != "" {
			t.Error(diff)
		}
		if event := appendEvent(nil, members); strings.Count(string(event), "\n") != 3 {
			t.Errorf("not one line of data: %q", event)
		}
	})
}
