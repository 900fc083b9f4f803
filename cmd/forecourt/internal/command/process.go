package command

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/compose"
	"forecourt.internal/contract"
)

// processFlags adds the flags of a command that runs the whole system.
func processFlags(cmd *cobra.Command, cfg *compose.Config) {
	flags := cmd.Flags()
	flags.StringVar(&cfg.MCP, "listen", "127.0.0.1:8080", "address of the MCP endpoint; port 0 picks a free one")
	flags.StringVar(&cfg.Admin, "admin", "127.0.0.1:9464", "address of /healthz and /readyz")
	flags.StringVar(&cfg.NATS, "nats-listen", "127.0.0.1:4222", "address of the embedded NATS server")
	flags.StringVar(&cfg.DataDir, "data-dir", "./.forecourt", "directory of the event log; created when absent")
}

// runProcess runs the system until the command's context is done. It prints the endpoints, with the MCP URL of one tenant,
// and then "ready" on a line of its own.
func runProcess(cmd *cobra.Command, cfg compose.Config, tenant string) error {
	cfg.Logger = slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil))
	return compose.Run(cmd.Context(), cfg, func(e compose.Endpoints) {
		printEndpoints(cmd.OutOrStdout(), e, tenant)
	})
}

func printEndpoints(out io.Writer, e compose.Endpoints, tenant string) {
	for _, line := range []struct{ name, value string }{
		{"mcp", e.MCP + mcpPath(tenant)}, {"admin", e.Admin}, {"nats", e.NATS}, {"postgres", e.Postgres}, {"data", e.Data},
	} {
		if line.value != "" {
			fmt.Fprintf(out, "%-6s %s\n", line.name, line.value)
		}
	}
	fmt.Fprintln(out, "ready")
}

// mcpPath is where the edge serves one tenant.
func mcpPath(tenant string) string { return "/aap/" + contract.PathLabel + "/" + tenant + "/mcp" }
