package command

import (
	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/compose"
)

func newServe() *cobra.Command {
	var cfg compose.Config
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run everything in one process, without demo data",
		Long: `Run every service in one process over an embedded NATS server. No tenant is needed to start: add them with
'forecourt tenant apply' while it runs. Endpoints are printed one per line, then "ready". Ctrl-C drains and ends; a second
Ctrl-C ends at once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runProcess(cmd, cfg, "{tenant}") },
	}
	processFlags(cmd, &cfg)
	return cmd
}
