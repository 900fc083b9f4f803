package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/watch"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/inventory"
)

func newInventoryWatch() *cobra.Command {
	var id string
	var options feedOptions
	var settle time.Duration
	cmd := &cobra.Command{
		Use:   "watch DIR",
		Short: "Import feed files as they appear in a directory",
		Long: `Import every file that appears in DIR/<tenant>/, or with --tenant in DIR itself, until Ctrl-C.

A file is imported once its size and time of change have stayed the same for the settle time; better still, write it under a name
that begins with "." or ends in .tmp, .part, .filepart or ~, which are left alone, and rename it. It is then moved to imported/
beside it, or to failed/ when nothing of it could be imported; where there is something to say, <name>.report.json stands beside it.
A file stays where it is, and is tried again, while the running system cannot be reached or the tenant does not exist.

The files of a tenant are imported in their order of arrival. Each file is a JSON line on the error stream.`,
		Example: `  forecourt inventory watch /srv/feeds --replace
  forecourt inventory watch /srv/feeds/harbor --tenant harbor-motors --rooftop "Harbor Motors Oakland"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := options.check(cmd); err != nil {
				return err
			}
			if options.rooftop != "" && id == "" {
				return usageError{errors.New("--rooftop needs --tenant, whose rooftop it is")}
			}
			if settle < 0 {
				return usageError{fmt.Errorf("--settle %s is not a time such as 2s", settle)}
			}
			saveMemory()
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				w := feedWatch{js: js, options: options}
				return w.run(ctx, watch.Config{
					Dir: args[0], Tenant: id, ValidTenant: tenant.ValidID, Import: w.take, Settle: settle,
					Logger: slog.New(slog.NewJSONHandler(cmd.ErrOrStderr(), nil)),
				})
			}, outlastOutages...)
		},
	}
	cmd.Flags().StringVar(&id, "tenant", "", "the dealership whose files they all are")
	cmd.Flags().DurationVar(&settle, "settle", 2*time.Second, "how long a file must stay the same before it is imported")
	options.addTo(cmd)
	return cmd
}

// outlastOutages keeps a connection through an outage of any length, during which nothing waits for an answer.
var outlastOutages = []nats.Option{nats.MaxReconnects(-1), nats.ReconnectBufSize(-1)}

// feedWatch imports the files of a watched directory.
type feedWatch struct {
	js      jetstream.JetStream
	options feedOptions
}

// run checks what the command line says before it watches.
func (w feedWatch) run(ctx context.Context, cfg watch.Config) error {
	store, err := tenants.Existing(ctx, w.js)
	if err != nil {
		return err
	}
	if cfg.Tenant != "" {
		doc, err := store.Get(ctx, cfg.Tenant)
		if err != nil {
			return err
		}
		if _, err := w.options.config(doc, ""); err != nil {
			return err
		}
	}
	return watch.Run(ctx, cfg)
}

// take is a watch.Import. The tenant's document is read for each file, so that changes of it count from the next file on.
func (w feedWatch) take(ctx context.Context, id, name string, feed io.Reader) (watch.Result, error) {
	store, err := tenants.Existing(ctx, w.js)
	if err != nil {
		return watch.Result{}, err
	}
	doc, err := store.Get(ctx, id)
	if err != nil {
		return watch.Result{}, err
	}
	cfg, err := w.options.config(doc, filepath.Base(name))
	if err != nil {
		return watch.Result{}, err
	}
	run := correlation.New()
	report, err := inventory.Import(correlation.With(ctx, run), w.js, cfg, stoppable{ctx, feed})
	if err != nil && (ctx.Err() != nil || !isRefused(err)) {
		return watch.Result{}, err
	}
	return fileResult(importSummary{CorrelationID: run, Report: report}, err), nil
}

// fileResult is what becomes of a file that was imported or, as err says, refused.
func fileResult(s importSummary, err error) watch.Result {
	r := s.Report
	result := watch.Result{
		Failed: err != nil || r.Rejected > 0 && r.Rejected == r.Rows,
		Log:    []slog.Attr{slog.String("correlation_id", s.CorrelationID)},
	}
	if err != nil {
		s.Error = err.Error()
		result.Log = append(result.Log, slog.String("error", s.Error))
	} else {
		result.Log = append(result.Log, slog.Int("rows", r.Rows), slog.Int("listed", r.Listed), slog.Int("updated", r.Updated),
			slog.Int("delisted", r.Delisted), slog.Int("missing", r.Missing), slog.Int("unchanged", r.Unchanged),
			slog.Int("confirmed", r.Confirmed), slog.Int("rejected", r.Rejected))
	}
	if err != nil || len(r.Problems) > 0 || r.MissingKept > 0 {
		result.Report = s
	}
	return result
}
