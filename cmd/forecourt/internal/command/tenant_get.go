package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenants"
)

func newTenantGet() *cobra.Command {
	return &cobra.Command{
		Use:   "get TENANT",
		Short: "Print a dealership's document as YAML, ready to edit and apply",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTenants(cmd, func(ctx context.Context, store *tenants.Store) error {
				doc, err := store.Get(ctx, args[0])
				if err != nil {
					return err
				}
				if wantsJSON(cmd) {
					return printJSON(cmd.OutOrStdout(), doc)
				}
				text, err := doc.YAML()
				if err != nil {
					return fmt.Errorf("write tenant %s as YAML: %w", doc.ID, err)
				}
				_, err = cmd.OutOrStdout().Write(text)
				return err
			})
		},
	}
}
