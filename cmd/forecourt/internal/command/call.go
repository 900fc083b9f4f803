package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	neturl "net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/demodata"
	"forecourt.internal/contract"
	"forecourt.internal/platform/version"
)

func newCall() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "call TOOL [JSON|-]",
		Short: "Call a tool over MCP, as an agent does",
		Long: `Call a tool over MCP and print its structured content. The arguments are a JSON object, "{}" when left out; "-" reads
them from standard input. A missing "type" is filled in with the one that belongs to the tool. Ends with 1 when the answer is
an aap.error.`,
		Example: `  forecourt call aap_inventory_search '{"filters":{"make":["Toyota"],"price_max":35000}}'`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			text := "{}"
			if len(args) == 2 {
				text = args[1]
			}
			arguments, err := callArguments(cmd.InOrStdin(), args[0], text)
			if err != nil {
				return err
			}
			return call(cmd.Context(), cmd.OutOrStdout(), url, args[0], arguments)
		},
	}
	cmd.Flags().StringVar(&url, "url", "http://127.0.0.1:8080"+mcpPath(demodata.Tenant), "MCP endpoint of the dealership")
	return cmd
}

// callArguments reads a tool's arguments and adds the "type" that the tool's requests must carry. Members keep their text:
// what the server thinks of it is what people call a tool to see.
func callArguments(in io.Reader, tool, text string) (map[string]json.RawMessage, error) {
	if text == stdinName {
		read, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("read arguments: %w", err)
		}
		text = string(read)
	}
	var arguments map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &arguments); err != nil || arguments == nil {
		return nil, usageError{fmt.Errorf("the arguments of %s are not a JSON object", tool)}
	}
	if skill, known := contract.SkillByTool(tool); known && arguments["type"] == nil {
		arguments["type"] = json.RawMessage(`"` + skill.RequestType() + `"`)
	}
	return arguments, nil
}

func call(ctx context.Context, out io.Writer, url, tool string, arguments map[string]json.RawMessage) error {
	if u, err := neturl.Parse(url); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return usageError{fmt.Errorf("--url %q is no URL such as http://127.0.0.1:8080%s", url, mcpPath("harbor-motors"))}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "forecourt", Version: version.Version}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true, MaxRetries: -1},
		&mcp.ClientSessionOptions{ProtocolVersion: contract.RevisionCurrent})
	var network *net.OpError
	switch {
	case errors.As(err, &network):
		return fmt.Errorf("nothing answers at %s (--url); is forecourt running? %w", url, network)
	case err != nil:
		return fmt.Errorf("cannot use the MCP endpoint %s (--url): %w", url, err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	return printResult(out, tool, result)
}

// printResult prints the text block, which is the structured content with its members in the server's order (R-CALL).
func printResult(out io.Writer, tool string, result *mcp.CallToolResult) error {
	if len(result.Content) != 1 {
		return fmt.Errorf("%s answered with %d content blocks instead of one", tool, len(result.Content))
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		return fmt.Errorf("%s answered with a %T instead of text", tool, result.Content[0])
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(text.Text), "", "  "); err != nil {
		return errors.New(tool + " answered with a text block that is not JSON")
	}
	fmt.Fprintln(out, pretty.String())
	if !result.IsError {
		return nil
	}
	var fault struct{ Code, Message string }
	if err := json.Unmarshal([]byte(text.Text), &fault); err != nil {
		return errors.New(tool + " failed without an aap.error")
	}
	return fmt.Errorf("%s failed: %s: %s", tool, fault.Code, fault.Message)
}
