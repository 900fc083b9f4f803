package command

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

func newInventoryImport() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use:   "import --tenant TENANT FILE|-",
		Short: "Import a dealership's feed file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				return importFeed(ctx, cmd, js, id, args[0])
			})
		},
	}
	cmd.Flags().StringVar(&id, "tenant", "", "the dealership whose stock it is")
	cmd.MarkFlagRequired("tenant")
	return cmd
}

func importFeed(ctx context.Context, cmd *cobra.Command, js jetstream.JetStream, id, file string) error {
	store, err := tenants.Existing(ctx, js)
	if err != nil {
		return err
	}
	doc, err := store.Get(ctx, id)
	if err != nil {
		return err
	}
	feed, name, err := open(cmd, file)
	if err != nil {
		return err
	}
	defer feed.Close()
	run := correlation.New()
	report, err := inventory.Import(correlation.With(ctx, run), js, inventory.ImportConfig{
		Tenant: doc, File: name, Logger: slog.New(slog.DiscardHandler), // the report says it all
	}, feed)
	if err != nil {
		return err
	}
	if err := printReport(cmd, run, report); err != nil {
		return err
	}
	if report.Rejected > 0 {
		return rejected(name, report)
	}
	return nil
}

// rejected says how many rows of a feed were rejected and what became of the others.
func rejected(file string, r inventory.Report) error {
	verb, others := "were", "the others are imported"
	if r.Rejected == 1 {
		verb = "was"
	}
	switch good := r.Rows - r.Rejected; {
	case good == 0:
		others = "nothing was imported"
	case r.Listed+r.Updated+r.Delisted == 0 && good == 1:
		others = "the other one changed nothing"
	case r.Listed+r.Updated+r.Delisted == 0:
		others = "the others changed nothing"
	case good == 1:
		others = "the other one is imported"
	}
	return fmt.Errorf("%d of %s of %s %s rejected; %s", r.Rejected, rows(r.Rows), file, verb, others)
}

func rows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}

// importSummary is the --json output: the report, and the id under which the log keeps the import's events.
type importSummary struct {
	CorrelationID string `json:"correlation_id"`
	inventory.Report
}

func printReport(cmd *cobra.Command, run string, r inventory.Report) error {
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), importSummary{CorrelationID: run, Report: r})
	}
	for _, p := range r.Problems {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s — %s\n", place(p), p.Problem, p.Correction)
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d listed, %d updated, %d delisted, %d unchanged, %d superseded, %d rejected\n",
		rows(r.Rows), r.Listed, r.Updated, r.Delisted, r.Unchanged, r.Superseded, r.Rejected)
	return err
}

// place is file:line, the column where the problem has one, and whether the row was taken nevertheless.
func place(p inventory.RowProblem) string {
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	if p.Column != "" {
		at += ": " + p.Column
	}
	if p.Warning {
		at += ": warning"
	}
	return at
}
