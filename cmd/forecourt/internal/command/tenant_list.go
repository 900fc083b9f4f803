package command

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenants"
)

// tenantRow is one dealership in the list.
type tenantRow struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Rooftops []string `json:"rooftops"`
}

func newTenantList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List dealerships",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withTenants(cmd, func(ctx context.Context, store *tenants.Store) error {
				rows, err := tenantRows(ctx, store)
				if err != nil {
					return err
				}
				if wantsJSON(cmd) {
					return printJSON(cmd.OutOrStdout(), rows)
				}
				w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "TENANT\tROOFTOPS\tNAME")
				for _, r := range rows {
					fmt.Fprintf(w, "%s\t%d\t%s\n", r.ID, len(r.Rooftops), r.Name)
				}
				return w.Flush()
			})
		},
	}
}

func tenantRows(ctx context.Context, store *tenants.Store) ([]tenantRow, error) {
	ids, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	rows := make([]tenantRow, 0, len(ids))
	for _, id := range ids {
		doc, err := store.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		row := tenantRow{ID: doc.ID, Name: doc.Name}
		for _, r := range doc.Rooftops {
			row.Rooftops = append(row.Rooftops, r.Name)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
