package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

func newInventoryImport() *cobra.Command {
	var id string
	var options feedOptions
	cmd := &cobra.Command{
		Use:   "import --tenant TENANT FILE|-",
		Short: "Import a dealership's feed file",
		Long: `Import a feed file, or standard input with "-", into the running system: CSV with any usual separator, a JSON array or
JSON Lines, in any usual encoding. What the file holds decides how it is read, never its name.

Good rows go in. Every bad row is printed on the error stream as file:line: column: the problem — the correction; a terminal
shows the first ones, --json lists 1,000. Vehicles that the file does not name are left alone unless --replace is given. Imports of
one dealership wait for each other.

Ends with
  0    every row went in
  1    nothing of the file was imported, or the work ended early
  2    the command line is wrong
  3    rows were rejected; the others went in
  130  Ctrl-C; what was published until then is said, and importing the file again completes the work`,
		Example: `  forecourt inventory import --tenant harbor-motors stock.csv
  forecourt inventory import --tenant harbor-motors --replace --rooftop "Harbor Motors Oakland" oakland.txt
  curl -s https://feeds.example/harbor.json | forecourt inventory import --tenant harbor-motors --strict --json -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := options.check(cmd); err != nil {
				return err
			}
			saveMemory()
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				return importFeed(ctx, cmd, js, id, options, args[0])
			})
		},
	}
	cmd.Flags().StringVar(&id, "tenant", "", "the dealership whose stock it is")
	cmd.MarkFlagRequired("tenant")
	options.addTo(cmd)
	return cmd
}

func importFeed(ctx context.Context, cmd *cobra.Command, js jetstream.JetStream, id string, options feedOptions, file string) error {
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
	if file == stdinName {
		feed = pump(ctx, feed)
		defer feed.Close()
	}
	cfg, err := options.config(doc, name)
	if err != nil {
		return err
	}
	bar := newProgress(cmd)
	cfg.Progress = func(p inventory.Progress) { bar.show(importWork[p.Stage], p.Done, p.Total) }
	run := correlation.New()
	report, err := inventory.Import(correlation.With(ctx, run), js, cfg, stoppable{ctx, feed})
	bar.clear()
	if err := printReport(cmd, importSummary{CorrelationID: run, Report: report}, err); err != nil {
		return err
	}
	return importOutcome(ctx, name, report, err)
}

// importWork is what the progress bar says of a stage.
var importWork = map[inventory.Stage]work{
	inventory.Waiting:    {says: "waiting for another import"},
	inventory.Reading:    {says: "reading", inBytes: true},
	inventory.Comparing:  {says: "comparing", unit: "vehicles"},
	inventory.Publishing: {says: "publishing", unit: "events"},
}

// importOutcome is the error that the process ends with.
func importOutcome(ctx context.Context, file string, r inventory.Report, err error) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return exitError{fmt.Errorf("interrupted: %s; import %s again to complete the work", published(r), file), exitInterrupted}
	case err != nil && !isRefused(err) && events(r) > 0:
		return fmt.Errorf("%w; %s; import the file again to complete the work", err, published(r))
	case errors.Is(err, inventory.ErrListsNothing):
		return fmt.Errorf("%w; --allow-empty imports it nevertheless", err)
	case err != nil:
		return err
	case r.Rejected == 0:
		return nil
	case r.Rejected == r.Rows && events(r) == 0:
		return errors.New(rejected(file, r))
	}
	return exitError{errors.New(rejected(file, r)), exitRejected}
}

// events counts the events that an import has published about vehicles.
func events(r inventory.Report) int { return r.Listed + r.Updated + r.Delisted + r.Missing }

// published says what is in the log of an import that ended early: what was still on its way may be there too.
func published(r inventory.Report) string {
	if events(r) == 0 {
		return "no event is known to be published"
	}
	return fmt.Sprintf("at least %d listed, %d updated, %d delisted are published", r.Listed, r.Updated, r.Delisted+r.Missing)
}

// rejected says how many rows of a feed were rejected and what became of the others.
func rejected(file string, r inventory.Report) string {
	verb, others := "were", "the others are imported"
	if r.Rejected == 1 {
		verb = "was"
	}
	switch good := r.Rows - r.Rejected; {
	case good == 0 && r.Missing > 0:
		others = "vehicles that the file does not name are delisted"
	case good == 0:
		others = "nothing was imported"
	case events(r) == 0 && good == 1:
		others = "the other one changed nothing"
	case events(r) == 0:
		others = "the others changed nothing"
	case good == 1:
		others = "the other one is imported"
	}
	return fmt.Sprintf("%d of %s of %s %s rejected; %s", r.Rejected, rows(r.Rows), file, verb, others)
}

func rows(n int) string {
	if n == 1 {
		return "1 row"
	}
	return fmt.Sprintf("%d rows", n)
}
