package mcpedge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcome is what a refusal looks like on the wire.
type outcome struct {
	Status int
	Code   int
	ID     any // nil: left out
}

func outcomeOf(r reply) outcome {
	return outcome{Status: r.status, Code: r.rpcCode(), ID: r.body["id"]}
}

func TestR_POST_OtherMethodsAre405(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodPut, http.MethodPatch, http.MethodOptions} {
		t.Run(method, func(t *testing.T) {
			got := w.get(method, "/aap/v3.0/alpha/mcp", "Accept", "text/event-stream")
			if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST" {
				t.Errorf("status %d, Allow %q; want 405 and POST", got.status, got.header.Get("Allow"))
			}
		})
	}
}

func TestR_POST_RefusesWhatIsNotOneMessage(t *testing.T) {
	w := newWorld(t)
	list := current("tools/list")
	for name, tc := range map[string]struct {
		body string
		want outcome
	}{
		"empty":                         {"", outcome{400, -32700, nil}},
		"no JSON":                       {"hello", outcome{400, -32700, nil}},
		"cut off":                       {list[:len(list)-1], outcome{400, -32700, nil}},
		"two values":                    {list + list, outcome{400, -32700, nil}},
		"invalid UTF-8":                 {strings.Replace(list, "tools/list", "tools/l\xffst", 1), outcome{400, -32700, nil}},
		"invalid UTF-8 in an argument":  {current("tools/call", `"name":"aap_dealer_information","arguments":{"type":"`+"\xc3"+`"}`), outcome{400, -32700, nil}},
		"lone surrogate":                {current("tools/list", `"x":"\ud800"`), outcome{400, -32700, nil}},
		"duplicate member":              {`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, outcome{400, -32700, nil}},
		"duplicate member, escaped":     {`{"jsonrpc":"2.0","id":1,"method":"ping","\u006dethod":"tools/list"}`, outcome{400, -32700, nil}},
		"duplicate member in arguments": {current("tools/call", `"name":"aap_dealer_information","arguments":{"a":1,"a":2}`), outcome{400, -32700, nil}},
		"nested too deeply":             {current("tools/list", `"x":`+strings.Repeat("[", 63)+strings.Repeat("]", 63)), outcome{400, -32700, nil}},
		"too many values":               {current("tools/list", `"x":[0`+strings.Repeat(",0", 10_000)+"]"), outcome{400, -32700, nil}},
		"nested absurdly":               {strings.Repeat("[", 1<<19), outcome{400, -32700, nil}},

		"batch":       {"[" + list + "]", outcome{400, -32600, nil}},
		"empty batch": {"[]", outcome{400, -32600, nil}},
		"string":      {`"tools/list"`, outcome{400, -32600, nil}},
		"null":        {"null", outcome{400, -32600, nil}},

		"no jsonrpc":            {`{"id":1,"method":"ping"}`, outcome{400, -32600, 1.0}},
		"jsonrpc 1.0":           {`{"jsonrpc":"1.0","id":"a","method":"ping"}`, outcome{400, -32600, "a"}},
		"no method":             {`{"jsonrpc":"2.0","id":1}`, outcome{400, -32600, 1.0}},
		"method is no string":   {`{"jsonrpc":"2.0","id":1,"method":1}`, outcome{400, -32600, 1.0}},
		"method is empty":       {`{"jsonrpc":"2.0","id":1,"method":""}`, outcome{400, -32600, 1.0}},
		"method in other case":  {`{"jsonrpc":"2.0","id":1,"Method":"ping"}`, outcome{400, -32600, 1.0}},
		"params is an array":    {`{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, outcome{400, -32600, 1.0}},
		"params is null":        {`{"jsonrpc":"2.0","id":1,"method":"ping","params":null}`, outcome{400, -32600, 1.0}},
		"id is null":            {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, outcome{400, -32600, nil}},
		"id is a fraction":      {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, outcome{400, -32600, nil}},
		"id is an object":       {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, outcome{400, -32600, nil}},
		"a request without id":  {`{"jsonrpc":"2.0","method":"tools/call","params":{}}`, outcome{400, -32600, nil}},
		"a response":            {`{"jsonrpc":"2.0","id":1,"result":{}}`, outcome{400, -32600, nil}},
		"an error response":     {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, outcome{400, -32600, nil}},
		"a request with result": {`{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`, outcome{400, -32600, 1.0}},
		"members in other case": {`{"JSONRPC":"2.0","ID":1,"METHOD":"ping"}`, outcome{400, -32600, nil}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, outcomeOf(w.post("alpha", tc.body))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_POST_CaseVariantsOfParamsAreNotRead(t *testing.T) {
	w := newWorld(t)
	got := w.post("alpha", current("tools/call", `"Name":"aap_dealer_information"`, `"arguments":{"type":"dealer.information.request"}`))
	if got.rpcCode() != -32602 {
		t.Errorf("code = %d, want -32602: %s", got.rpcCode(), got.raw)
	}
}

func TestR_POST_NestingUpToTheLimitIsRead(t *testing.T) {
	w := newWorld(t)
	// The message and its params are two of the 64 levels. A bracket in a string is none.
	got := w.post("alpha", current("tools/list", `"x":`+strings.Repeat("[", 62)+`"[[[\"[["`+strings.Repeat("]", 62)))
	if got.status != http.StatusOK {
		t.Errorf("status = %d: %s", got.status, got.raw)
	}
}

func TestR_POST_ValuesUpToTheLimitAreRead(t *testing.T) {
	w := newWorld(t)
	// The message, its four members, x, _meta and the two members of that are 9. An empty list is one value like any other.
	for name, value := range map[string]string{"numbers": "0", "empty lists": "[]", "empty objects": "{ }"} {
		for count, want := range map[int]int{10_000 - 9: 200, 10_000 - 8: 400} {
			list := "[" + value + strings.Repeat(","+value, count-1) + "]"
			if got := w.post("alpha", current("tools/list", `"x":`+list)); got.status != want {
				t.Errorf("%d %s: status = %d, want %d", count, name, got.status, want)
			}
		}
	}
}

func TestR_POST_BodyOver1MiBIs413(t *testing.T) {
	w := newWorld(t)
	list := current("tools/list")
	padded := func(size int) string { return list + strings.Repeat(" ", size-len(list)) }
	for name, tc := range map[string]struct {
		body string
		want int
	}{
		"exactly 1 MiB":  {padded(1 << 20), 200},
		"one byte more":  {padded(1<<20 + 1), 413},
		"several blocks": {padded(4 << 20), 413},
	} {
		t.Run(name, func(t *testing.T) {
			if got := w.post("alpha", tc.body); got.status != tc.want {
				t.Errorf("status = %d, want %d", got.status, tc.want)
			}
		})
	}
}

func TestR_POST_ContentTypeMustBeJSON(t *testing.T) {
	w := newWorld(t)
	for header, want := range map[string]int{
		"":                                  200, // see post: leaves the default
		"application/json; charset=utf-8":   200,
		"Application/JSON":                  200,
		"application/json; charset=utf-16":  415,
		"text/plain":                        415,
		"application/x-www-form-urlencoded": 415,
		"application/json-rpc":              415,
		"/":                                 415,
	} {
		t.Run(header, func(t *testing.T) {
			headers := []string{"Content-Type", header}
			if header == "" {
				headers = nil
			}
			if got := w.post("alpha", current("tools/list"), headers...); got.status != want {
				t.Errorf("status = %d, want %d", got.status, want)
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		if got := w.post("alpha", current("tools/list"), "Content-Type", ""); got.status != 415 {
			t.Errorf("status = %d, want 415", got.status)
		}
	})
	t.Run("two that differ", func(t *testing.T) {
		if got := w.post("alpha", current("tools/list"), "Content-Type", "application/json;charset=utf-8", "Content-Type", "text/plain"); got.status != 415 {
			t.Errorf("status = %d, want 415", got.status)
		}
	})
	t.Run("compressed", func(t *testing.T) {
		if got := w.post("alpha", current("tools/list"), "Content-Encoding", "identity", "Content-Encoding", "gzip"); got.status != 415 {
			t.Errorf("status = %d, want 415", got.status)
		}
	})
}

func TestR_POST_IDComesBackAsItWasSent(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{`1`, `0`, `-7`, `9007199254740993`, `"a"`, `""`, `"q\"\\ü"`} {
		t.Run(id, func(t *testing.T) {
			got := w.post("alpha", strings.Replace(current("tools/list"), `"id":1`, `"id":`+id, 1))
			if !strings.HasPrefix(got.raw, `{"jsonrpc":"2.0","id":`+id+`,"result":{`) {
				t.Errorf("response begins %.60s", got.raw)
			}
		})
	}
}

func TestR_POST_NotificationsAre202WithoutBody(t *testing.T) {
	w := newWorld(t)
	for name, headers := range map[string][]string{
		"legacy": legacyHeader, "current": {"MCP-Protocol-Version", "2026-07-28"}, "no version": nil,
	} {
		for _, method := range []string{"notifications/initialized", "notifications/cancelled", "notifications/unknown"} {
			t.Run(name+" "+method, func(t *testing.T) {
				got := w.post("alpha", `{"jsonrpc":"2.0","method":"`+method+`"}`, headers...)
				if got.status != http.StatusAccepted || got.raw != "" {
					t.Errorf("status %d, body %q; want 202 and none", got.status, got.raw)
				}
			})
		}
	}
	got := w.post("alpha", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "MCP-Protocol-Version", "2020-01-01")
	if diff := cmp.Diff(outcome{400, -32022, nil}, outcomeOf(got)); diff != "" {
		t.Error(diff)
	}
}

// A request that breaks every rule from one on is told about that one.
func TestR_POST_OrderOfRefusal(t *testing.T) {
	w := newWorld(t)
	var (
		origin      = []string{"Origin", "https://evil.example"}
		contentType = []string{"Content-Type", "text/plain"}
		accept      = []string{"Accept", "image/png"}
		mirror      = []string{"Mcp-Method", "other", "MCP-Protocol-Version", "2001-01-01"}
		version     = []string{"MCP-Protocol-Version", "2001-01-01"}
	)
	join := func(parts ...[]string) (all []string) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	big := strings.Repeat("x", 2<<20)
	bad := `{"jsonrpc":"2.0","id":1,"method":"nope"}`
	currentBad := `{"jsonrpc":"2.0","id":1,"method":"nope","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`
	for _, tc := range []struct {
		name    string
		tenant  string
		body    string
		headers []string
		want    outcome
	}{
		{"tenant", "nobody", bad, join(origin, contentType, accept, mirror), outcome{404, -32600, 1.0}},
		{"tenant, unreadable body", "nobody", "x", join(origin, contentType, accept, mirror), outcome{404, -32600, nil}},
		{"origin", "alpha", big, join(origin, contentType, accept, mirror), outcome{403, -32600, nil}},
		{"content type", "alpha", big, join(contentType, accept, mirror), outcome{415, -32600, nil}},
		{"accept", "alpha", big, join(accept, mirror), outcome{406, -32600, nil}},
		{"size", "alpha", big, mirror, outcome{413, -32600, nil}},
		{"JSON", "alpha", "{", mirror, outcome{400, -32700, nil}},
		{"envelope", "alpha", `{"id":1}`, mirror, outcome{400, -32600, 1.0}},
		{"headers", "alpha", bad, mirror, outcome{400, -32020, 1.0}},
		{"revision", "alpha", bad, version, outcome{400, -32022, 1.0}},
		{"metadata", "alpha", currentBad, nil, outcome{400, -32602, 1.0}},
		{"method", "alpha", current("nope"), nil, outcome{404, -32601, 1.0}},
		{"method, legacy", "alpha", bad, legacyHeader, outcome{200, -32601, 1.0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, outcomeOf(w.post(tc.tenant, tc.body, tc.headers...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
