package command

import (
	"context"
	"io"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/services/inventory"
)

func newInventoryExport() *cobra.Command {
	var id, file string
	cmd := &cobra.Command{
		Use:   "export --tenant TENANT",
		Short: "Write a dealership's listings as a feed",
		Long: `Write the listings that a dealership has on sale as AAP JSON, a feed that can be imported again. To import an export changes
nothing: its listings say when their facts were observed.`,
		Example: `  forecourt inventory export --tenant harbor-motors -o harbor.json
  forecourt inventory export --tenant harbor-motors | jq '.[] | select(.price > 50000) | .stock'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				if err := checkTenant(ctx, js, id); err != nil {
					return err
				}
				var vehicles int
				err := writeOutput(cmd, file, func(out io.Writer) (err error) {
					vehicles, err = inventory.Export(ctx, js, id, out)
					return err
				})
				if err != nil {
					return err
				}
				return printWritten(cmd, file, vehicles)
			})
		},
	}
	cmd.Flags().StringVar(&id, "tenant", "", "the dealership whose listings they are")
	cmd.MarkFlagRequired("tenant")
	outputFlag(cmd, &file)
	return cmd
}
