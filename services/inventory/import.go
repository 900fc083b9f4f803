package inventory

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/importer"
)

// ImportConfig says whose feed is imported.
type ImportConfig struct {
	Tenant *tenant.Document
	// File is the feed's name in the report; its content decides what it is.
	File string
	// Dialect forces a dialect; "" takes the tenant's, or recognises it by what the file holds.
	Dialect string
	// Rooftop is the rooftop that the file is of: rows that name none have it, rows of another are bad. "" is all.
	Rooftop string
	// Replace delists the vehicles that the file does not name, of Rooftop where one is given.
	Replace bool
	// AllowEmpty lets a file that lists nothing delist everything.
	AllowEmpty bool
	// Strict imports nothing when a row is bad.
	Strict bool
	// Progress, when set, is told now and then how far the work is, from one goroutine at a time.
	Progress func(Progress)
	// Logger defaults to slog.Default().
	Logger *slog.Logger
	// Now is the clock of observed_at and of updated_at where the feed has none. Default: time.Now.
	Now func() time.Time
}

// Progress is how far an import is.
type Progress struct {
	Stage Stage
	// Done of Total: bytes of the file while reading, vehicles while comparing, events while publishing. Total is 0 when it is not
	// known.
	Done, Total int64
}

// Stage is a part of an import's work.
type Stage = importer.Stage

// The stages, in their order.
const (
	Waiting    = importer.Waiting
	Reading    = importer.Reading
	Comparing  = importer.Comparing
	Publishing = importer.Publishing
)

// Report counts what an import did and lists the problems of its rows.
type Report = importer.Report

// RowProblem says what is wrong with a row and how to correct it.
type RowProblem = feed.Problem

// OmittedProblems counts the problems of one kind that a report does not list.
type OmittedProblems = feed.Omitted

// Unreadable is the error, wrapped, of a file that is no feed, or of which reading failed. Importing it again makes no difference.
type Unreadable = importer.Unreadable

// Errors that refuse a file whole, wrapped. The report that comes with them counts what the import would have done.
var (
	// ErrBadRows: Strict is set and rows are bad.
	ErrBadRows = importer.ErrBadRows
	// ErrListsNothing: Replace is set without AllowEmpty and no row lists a vehicle for sale.
	ErrListsNothing = importer.ErrListsNothing
)

// Import reads a feed, compares it with the stream and publishes an event for each vehicle that changed, and one that confirms those
// that did not. It returns when the broker has all of them on disk. Bad rows are reported and the good ones go in; an error means that
// the file is refused (ErrBadRows, ErrListsNothing) or cannot be read at all, or that the work ended early and should be repeated; it
// names the file. The events carry the correlation id of ctx.
//
// While another import of the tenant runs, in whatever process, Import waits for its end.
func Import(ctx context.Context, js jetstream.JetStream, cfg ImportConfig, r io.Reader) (Report, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	run, err := newImporter(ctx, js, cfg)
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", cfg.File, err)
	}
	report, err := run.Import(ctx, cfg.File, r)
	if err != nil {
		return report, fmt.Errorf("import %s: %w", cfg.File, err)
	}
	cfg.Logger.InfoContext(ctx, "inventory imported", "tenant", cfg.Tenant.ID, "correlation_id", correlation.From(ctx),
		"rows", report.Rows, "listed", report.Listed, "updated", report.Updated, "delisted", report.Delisted, "missing", report.Missing,
		"unchanged", report.Unchanged, "confirmed", report.Confirmed, "rejected", report.Rejected)
	return report, nil
}

func newImporter(ctx context.Context, js jetstream.JetStream, cfg ImportConfig) (*importer.Importer, error) {
	check, err := contract.NewValidator()
	if err != nil {
		return nil, err
	}
	events, err := eventlog.Open(ctx, js)
	if err != nil {
		return nil, err
	}
	leases, err := importer.OpenLeases(ctx, js)
	if err != nil {
		return nil, err
	}
	return &importer.Importer{
		Events: events, Leases: leases, Check: check, Tenant: cfg.Tenant, Now: cfg.Now,
		Options: importer.Options{
			Dialect: cfg.Dialect, Rooftop: cfg.Rooftop, Replace: cfg.Replace, AllowEmpty: cfg.AllowEmpty, Strict: cfg.Strict,
		},
		Progress: func(stage Stage, done, total int64) {
			if cfg.Progress != nil {
				cfg.Progress(Progress{stage, done, total})
			}
		},
	}, nil
}
