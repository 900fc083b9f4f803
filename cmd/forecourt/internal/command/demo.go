package command

import (
	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/compose"
	"forecourt.internal/cmd/forecourt/internal/demodata"
)

func newDemo() *cobra.Command {
	cfg := compose.Config{Seed: demodata.Seed}
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run everything in one process, with a demo dealership",
		Long: `Run every service in one process over an embedded NATS server, with a dealership of two rooftops to try it on.

The dealership is put in on the first start; later starts on the same data directory keep what was changed. Once every
endpoint answers, they are printed one per line, then "ready". Ctrl-C drains and ends; a second Ctrl-C ends at once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runProcess(cmd, cfg, demodata.Tenant) },
	}
	processFlags(cmd, &cfg)
	return cmd
}
