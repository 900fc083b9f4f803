package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenants"
)

func newTenantDelete() *cobra.Command {
	return &cobra.Command{
		Use:   "delete TENANT",
		Short: "Take a dealership off",
		Long: `Take a dealership off. A running system follows at once: its endpoint answers as for one that never was. Its stock and its
leads stay in the log; applying its document again brings it back with them. Keep a copy ("tenant get") for that.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTenants(cmd, func(ctx context.Context, store *tenants.Store) error {
				if err := store.Delete(ctx, args[0]); err != nil {
					return err
				}
				if wantsJSON(cmd) {
					return printJSON(cmd.OutOrStdout(), tenantResult{Tenant: args[0], Result: "deleted"})
				}
				fmt.Fprintf(cmd.OutOrStdout(), "tenant %s deleted\n", args[0])
				fmt.Fprintln(cmd.OutOrStdout(), "Its stock and its leads stay in the log; applying its document again brings it back with them.")
				return nil
			})
		},
	}
}
