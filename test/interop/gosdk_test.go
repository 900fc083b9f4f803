package interop

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const aapMeta = "autoagentprotocol.org/aap"

// TestGoSDK drives the official Go SDK client. Asked for 2026-07-28 it sends server/discover and falls back to initialize
// unless the answer suits it; asked for an older revision it sends initialize and takes what the server offers instead.
func TestGoSDK(t *testing.T) {
	url := startDemo(t)
	for asked, spoken := range map[string]string{
		"2026-07-28": "2026-07-28",
		"2025-11-25": "2025-11-25",
		"2025-06-18": "2025-11-25",
	} {
		t.Run(asked, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1.0.0"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url},
				&mcp.ClientSessionOptions{ProtocolVersion: asked})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if got := session.InitializeResult().ProtocolVersion; got != spoken {
				t.Fatalf("negotiated %s, want %s", got, spoken)
			}
			c := &goClient{session: session, agent: "interop-go-sdk-" + asked}
			if !t.Run("tools/list", c.listTools) {
				return
			}
			all := loadCalls(t)
			for _, call := range all.Answered {
				t.Run("tools/call "+call.Tool, func(t *testing.T) { c.answers(t, call) })
			}
			for _, call := range all.Refused {
				t.Run("refuses "+call.Name, func(t *testing.T) { c.refuses(t, call) })
			}
			t.Run("an unknown tool is a protocol error", c.unknownTool)
		})
	}
}

// goClient works through calls.json in one session; tools and vehicleID are filled by the list and the search.
type goClient struct {
	session   *mcp.ClientSession
	agent     string
	tools     map[string]*mcp.Tool
	vehicleID string
}

func (c *goClient) listTools(t *testing.T) {
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	c.tools = map[string]*mcp.Tool{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		c.tools[tool.Name] = tool
	}
	if diff := cmp.Diff(toolNames, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}

func (c *goClient) answers(t *testing.T, call answered) {
	arguments := fill(call.Arguments, c.vehicleID, c.agent)
	validate(t, c.tools[call.Tool].InputSchema, arguments)
	result, text := c.call(t, call.Tool, arguments)
	got := decode(t, text)
	if result.IsError || got.Type != call.Response {
		t.Fatalf("isError %t, want a %s: %s", result.IsError, call.Response, text)
	}
	if call.Tool == "aap_inventory_search" {
		if len(got.Data.Vehicles) == 0 {
			t.Fatalf("no vehicles: %s", text)
		}
		c.vehicleID = got.Data.Vehicles[0].VehicleID
	}
	if call.Tool == "aap_lead_submit" {
		again, textAgain := c.call(t, call.Tool, arguments)
		if diff := cmp.Diff(text, textAgain); diff != "" {
			t.Errorf("the retry differs (-first +second):\n%s", diff)
		}
		if replayed(result) || !replayed(again) {
			t.Errorf("replayed = %t, then %t; want false, then true", replayed(result), replayed(again))
		}
	}
}

func (c *goClient) refuses(t *testing.T, call refused) {
	result, text := c.call(t, call.Tool, call.Arguments)
	if got := decode(t, text); !result.IsError || got.Type != "aap.error" || got.Code != call.Code {
		t.Errorf("isError %t, want an aap.error %s: %s", result.IsError, call.Code, text)
	}
}

func (c *goClient) unknownTool(t *testing.T) {
	_, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "aap_no_such_tool", Arguments: map[string]any{}})
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams {
		t.Errorf("error %v, want code %d", err, jsonrpc.CodeInvalidParams)
	}
}

// call returns a tool's result and its one text block, having checked that the block says what structuredContent says and
// that both satisfy the tool's output schema.
func (c *goClient) call(t *testing.T, name string, arguments json.RawMessage) (*mcp.CallToolResult, string) {
	t.Helper()
	result, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("content blocks = %d, want 1", len(result.Content))
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("content is a %T, want text", result.Content[0])
	}
	var said any
	if err := json.Unmarshal([]byte(text.Text), &said); err != nil {
		t.Fatalf("text block: %v", err)
	}
	if diff := cmp.Diff(said, result.StructuredContent); diff != "" {
		t.Errorf("text and structuredContent disagree (-text +structured):\n%s", diff)
	}
	validate(t, c.tools[name].OutputSchema, []byte(text.Text))
	return result, text.Text
}

// validate holds a document to a schema as a tool published it.
func validate(t *testing.T, published any, document []byte) {
	t.Helper()
	raw, err := json.Marshal(published)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		t.Fatalf("schema: %v", err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatalf("schema: %v", err)
	}
	var instance any
	if err := json.Unmarshal(document, &instance); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(instance); err != nil {
		t.Errorf("%v\nin %s", err, document)
	}
}

func decode(t *testing.T, text string) response {
	t.Helper()
	var r response
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return r
}

func replayed(result *mcp.CallToolResult) bool {
	meta, _ := result.Meta[aapMeta].(map[string]any)
	replayed, _ := meta["replayed"].(bool)
	return replayed
}
