package mcp

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzDecode holds the decoder to what the rest of the binding relies on (R-POST).
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"aap_inventory_search","arguments":{"type":"inventory.search.request","filters":{"price_max":1e3}}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"ping"}`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}",
		`{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
		`{"jsonrpc":"2.0","id":-0,"method":"\u0070ing","params":{"cursor":null}}`,
		strings.Repeat("[", 100) + strings.Repeat("]", 100),
		``, `{`, `"`, `\`, `{"":`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, fault := decode(body)
		if m.id != nil && (!validID(m.id) || !json.Valid(m.id)) {
			t.Errorf("id %q cannot be sent back", m.id)
		}
		if fault != nil {
			if fault.status != http.StatusBadRequest {
				t.Errorf("status = %d", fault.status)
			}
			return
		}
		if !json.Valid(body) || !utf8.Valid(body) {
			t.Error("accepted what is not JSON")
		}
		if m.method == "" {
			t.Error("accepted a message without method")
		}
		if checkSize(body) != nil {
			t.Error("accepted a body of too many or too deep values")
		}
		for _, part := range [][]byte{m.params.Meta, m.params.Arguments, m.params.Cursor} {
			if part != nil && !json.Valid(part) {
				t.Errorf("a part is not JSON: %q", part)
			}
		}
		checkMirrors(http.Header{headerName: {"x"}}, &m, "")
		resolve(http.Header{}, &m, "")
	})
}

// FuzzDecodeName holds the decoding of Mcp-Name to its inverse (R-HDR): a name sent as Base64 arrives, and what is accepted
// unencoded is visible ASCII.
func FuzzDecodeName(f *testing.F) {
	for _, seed := range []string{"", "aap_inventory_search", "wörld", "=?base64?YQ==?=", "=?base64??=", "=?base64?YQ==", "=?base64?%?=", "=?base64?=", "a\tb", "\x00", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		sent := encodedPrefix + base64.StdEncoding.EncodeToString([]byte(value)) + encodedSuffix
		if got, ok := decodeName(sent); !ok || got != value {
			t.Errorf("decodeName(%q) = %q, %t", sent, got, ok)
		}
		got, ok := decodeName(value)
		if ok && got == value && strings.ContainsFunc(value, func(r rune) bool { return r != '\t' && (r < ' ' || r > '~') }) {
			t.Errorf("accepted %q as it is", value)
		}
	})
}

// FuzzNegotiate holds that no answer is a media type that a plain reading does not find asked for (R-ACC).
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{"", "*/*", "application/json;q=0, */*", "text/event-stream", "a/b;c=d;q=0.1,,;", "*/*;q=NaN", "application/json;q=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		lower := strings.ToLower(accept)
		format, ok := negotiate([]string{accept})
		if !ok || strings.Contains(lower, "*/*") || strings.TrimSpace(strings.ReplaceAll(lower, ",", "")) == "" {
			return
		}
		family := "application/"
		if format == asEvent {
			family = "text/"
		}
		if !strings.Contains(lower, family) {
			t.Errorf("format %d for %q", format, accept)
		}
	})
}
