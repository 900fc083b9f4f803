package mcpedge_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestR_HDR_CurrentRevision(t *testing.T) {
	w := newWorld(t)
	encode := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	const tool = "aap_dealer_information"
	call := current("tools/call", `"name":"`+tool+`"`, `"arguments":{"type":"dealer.information.request"}`)
	fine, refused := outcome{200, 0, 1.0}, outcome{400, -32020, 1.0}
	for _, tc := range []struct {
		name    string
		body    string
		headers []string
		want    outcome
	}{
		{"none", call, nil, fine},
		{"all agree", call, []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool}, fine},
		{"names in any case", call, []string{"mcp-protocol-version", "2026-07-28", "MCP-METHOD", "tools/call", "mCP-nAME", tool}, fine},
		{"optional white space", call, []string{"Mcp-Method", " tools/call\t", "Mcp-Name", "  " + tool + "  "}, fine},
		{"the same twice", call, []string{"Mcp-Method", "tools/call", "Mcp-Method", "tools/call", "Mcp-Name", tool, "Mcp-Name", tool}, fine},
		{"encoded name", call, []string{"Mcp-Name", encode(tool)}, fine},
		{"other header", call, []string{"Mcp-Param-Make", "Toyota", "Mcp-Session-Id", "s", "Last-Event-ID", "4"}, fine},

		{"revision differs", call, []string{"MCP-Protocol-Version", "2025-11-25"}, refused},
		{"revision differs and is unknown", call, []string{"MCP-Protocol-Version", "1999-01-01"}, refused},
		{"revision twice, once differing", call, []string{"MCP-Protocol-Version", "2026-07-28", "MCP-Protocol-Version", "2025-11-25"}, refused},
		{"method differs", call, []string{"Mcp-Method", "tools/list"}, refused},
		{"method in other case", call, []string{"Mcp-Method", "TOOLS/CALL"}, refused},
		{"method twice, once differing", call, []string{"Mcp-Method", "tools/call", "Mcp-Method", "tools/list"}, refused},
		{"two methods in one", call, []string{"Mcp-Method", "tools/call, tools/call"}, refused},
		{"method is blank", call, []string{"Mcp-Method", " "}, refused},
		{"name differs", call, []string{"Mcp-Name", "aap_inventory_search"}, refused},
		{"name in other case", call, []string{"Mcp-Name", "AAP_dealer_information"}, refused},
		{"name twice, once differing", call, []string{"Mcp-Name", tool, "Mcp-Name", "aap_inventory_search"}, refused},
		{"encoded name differs", call, []string{"Mcp-Name", encode("aap_inventory_search")}, refused},
		{"encoding is broken", call, []string{"Mcp-Name", "=?base64?%%%?="}, refused},
		{"encoding lacks padding", call, []string{"Mcp-Name", "=?base64?YQ?="}, refused},
		{"encoding has stray bits", call, []string{"Mcp-Name", "=?base64?YR==?="}, refused},
		{"mark in other case", call, []string{"Mcp-Name", "=?BASE64?" + base64.StdEncoding.EncodeToString([]byte(tool)) + "?="}, refused},
		{"mark without end", call, []string{"Mcp-Name", "=?base64?" + base64.StdEncoding.EncodeToString([]byte(tool))}, refused},
		{"name for a method without one", current("tools/list"), []string{"Mcp-Name", tool}, refused},
		{"name that the body lacks", current("tools/call"), []string{"Mcp-Name", tool}, refused},

		{"name outside ASCII, encoded", current("tools/call", `"name":"wörld"`), []string{"Mcp-Name", encode("wörld")}, outcome{200, -32602, 1.0}},
		{"name outside ASCII, raw", current("tools/call", `"name":"wörld"`), []string{"Mcp-Name", "wörld"}, refused},
		{"name that looks encoded, encoded", current("tools/call", `"name":"=?base64?YQ==?="`), []string{"Mcp-Name", encode("=?base64?YQ==?=")}, outcome{200, -32602, 1.0}},
		{"name that looks encoded, raw", current("tools/call", `"name":"=?base64?YQ==?="`), []string{"Mcp-Name", "=?base64?YQ==?="}, refused},
		{"name of an unknown method", current("tasks/get", `"taskId":"7"`), []string{"Mcp-Method", "tasks/get", "Mcp-Name", "7"}, outcome{404, -32601, 1.0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, outcomeOf(w.post("alpha", tc.body, tc.headers...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_HDR_LegacyRevisionNeedsNoMirrors(t *testing.T) {
	w := newWorld(t)
	call := legacy("tools/call", `"name":"aap_dealer_information"`, `"arguments":{"type":"dealer.information.request"}`)
	for name, tc := range map[string]struct {
		headers []string
		want    outcome
	}{
		"none":           {nil, outcome{200, 0, 1.0}},
		"agreeing":       {[]string{"Mcp-Method", "tools/call", "Mcp-Name", "aap_dealer_information"}, outcome{200, 0, 1.0}},
		"method differs": {[]string{"Mcp-Method", "tools/list"}, outcome{400, -32020, 1.0}},
		"name differs":   {[]string{"Mcp-Name", "aap_lead_submit"}, outcome{400, -32020, 1.0}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, outcomeOf(w.post("alpha", call, append(tc.headers, legacyHeader...)...))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_VER_UnknownRevisionIsToldWhatIsSupported(t *testing.T) {
	w := newWorld(t)
	withMeta := func(revision string) string {
		return legacy("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":`+revision+`,"io.modelcontextprotocol/clientCapabilities":{}}`)
	}
	for name, tc := range map[string]struct {
		body      string
		headers   []string
		requested string
	}{
		"nowhere":                      {legacy("tools/list"), nil, ""},
		"nowhere, ping":                {legacy("ping"), nil, ""},
		"nowhere, discover":            {legacy("server/discover"), nil, ""},
		"blank header":                 {legacy("tools/list"), []string{"MCP-Protocol-Version", " "}, ""},
		"session of someone else":      {legacy("tools/list"), []string{"Mcp-Session-Id", "s"}, ""},
		"header":                       {legacy("tools/list"), []string{"MCP-Protocol-Version", "2025-06-18"}, "2025-06-18"},
		"header, initialize":           {initialize("2025-11-25"), []string{"MCP-Protocol-Version", "2024-11-05"}, "2024-11-05"},
		"header is no date":            {legacy("tools/list"), []string{"MCP-Protocol-Version", "latest"}, "latest"},
		"body":                         {withMeta(`"2099-01-01"`), nil, "2099-01-01"},
		"body and header":              {withMeta(`"2099-01-01"`), []string{"MCP-Protocol-Version", "2099-01-01"}, "2099-01-01"},
		"much too long":                {withMeta(`"` + strings.Repeat("9", 2000) + `"`), nil, strings.Repeat("9", 64)},
		"body has a number, no header": {withMeta(`20260728`), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.post("alpha", tc.body, tc.headers...)
			if diff := cmp.Diff(outcome{400, -32022, 1.0}, outcomeOf(got)); diff != "" {
				t.Fatal(diff)
			}
			want := map[string]any{"supported": []any{"2026-07-28", "2025-11-25"}, "requested": tc.requested}
			if diff := cmp.Diff(want, got.body["error"].(map[string]any)["data"]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestR_VER_RevisionComesFromBodyOrHeader(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		body    string
		headers []string
		current bool
	}{
		"current by body":            {current("tools/list"), nil, true},
		"current by body and header": {current("tools/list"), []string{"MCP-Protocol-Version", "2026-07-28"}, true},
		"legacy by header":           {legacy("tools/list"), legacyHeader, false},
		"legacy by body":             {legacy("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.post("alpha", tc.body, tc.headers...)
			if got.result() == nil {
				t.Fatalf("no result: %s", got.raw)
			}
			if _, current := got.result()["resultType"]; current != tc.current {
				t.Errorf("served as current: %t, want %t", current, tc.current)
			}
		})
	}
}

func TestR_META_CurrentRequestsNeedTheirMetadata(t *testing.T) {
	w := newWorld(t)
	const (
		version      = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
		capabilities = `"io.modelcontextprotocol/clientCapabilities":{}`
	)
	header := []string{"MCP-Protocol-Version", "2026-07-28"}
	fine, refused := outcome{200, 0, 1.0}, outcome{400, -32602, 1.0}
	for name, tc := range map[string]struct {
		params string
		want   outcome
	}{
		"complete":                       {`"_meta":{` + version + `,` + capabilities + `}`, fine},
		"client info":                    {`"_meta":{` + version + `,` + capabilities + `,"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}`, fine},
		"client info of another shape":   {`"_meta":{` + version + `,` + capabilities + `,"io.modelcontextprotocol/clientInfo":7}`, fine},
		"capabilities with content":      {`"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}`, fine},
		"no _meta":                       {``, refused},
		"_meta is null":                  {`"_meta":null`, refused},
		"_meta is a string":              {`"_meta":"x"`, refused},
		"no version":                     {`"_meta":{` + capabilities + `}`, refused},
		"version is a number":            {`"_meta":{"io.modelcontextprotocol/protocolVersion":1,` + capabilities + `}`, refused},
		"no capabilities":                {`"_meta":{` + version + `}`, refused},
		"capabilities are null":          {`"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":null}`, refused},
		"capabilities are a list":        {`"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":[]}`, refused},
		"capabilities under other case":  {`"_meta":{` + version + `,"io.modelcontextprotocol/ClientCapabilities":{}}`, refused},
		"metadata beside, not in, _meta": {version + `,` + capabilities, refused},
	} {
		for _, method := range []string{"server/discover", "tools/list"} {
			t.Run(method+" "+name, func(t *testing.T) {
				if diff := cmp.Diff(tc.want, outcomeOf(w.post("alpha", legacy(method, tc.params), header...))); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}
