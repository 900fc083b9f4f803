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
	// Progress, when set, is told now and then how far the work is, from one goroutine.
	Progress func(Progress)
	// Logger defaults to slog.Default().
	Logger *slog.Logger
	// Now is the clock of observed_at and of updated_at where the feed has none. Default: time.Now.
	Now func() time.Time
}

// Progress is how far an import is.
type Progress struct {
	Stage Stage
	// Done of Total: bytes of the file while reading, events while publishing. Total is 0 when it is not known.
	Done, Total int64
}

// Stage is a part of an import's work.
type Stage string

// The stages, in their order.
const (
	Waiting    Stage = "waiting"    // for another import of the tenant
	Reading    Stage = "reading"    // the file
	Comparing  Stage = "comparing"  // with the stream
	Publishing Stage = "publishing" // what changed
)

// Report counts what an import did and lists the problems of its rows.
type Report = importer.Report

// RowProblem says what is wrong with a row and how to correct it.
type RowProblem = feed.Problem

// Import reads a feed, compares it with the stream and publishes an event for each vehicle that changed. It returns when the
// broker has acknowledged all of them. Bad rows are reported and the good ones go in; an error means that the file could not be
// read at all, or that the work ended early and should be repeated; it names the file. The events carry the correlation id of ctx.
//
// It reads AAP JSON (an array of vehicles) and the CSV of inventory providers, both UTF-8.
func Import(ctx context.Context, js jetstream.JetStream, cfg ImportConfig, r io.Reader) (Report, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	check, err := contract.NewValidator()
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", cfg.File, err)
	}
	events, err := eventlog.Open(ctx, js)
	if err != nil {
		return Report{}, fmt.Errorf("import %s: %w", cfg.File, err)
	}
	run := importer.Importer{Events: events, Check: check, Tenant: cfg.Tenant, Now: cfg.Now}
	report, err := run.Import(ctx, cfg.File, r)
	if err != nil {
		return report, fmt.Errorf("import %s: %w", cfg.File, err)
	}
	cfg.Logger.InfoContext(ctx, "inventory imported", "tenant", cfg.Tenant.ID, "correlation_id", correlation.From(ctx),
		"rows", report.Rows, "listed", report.Listed, "updated", report.Updated, "delisted", report.Delisted,
		"unchanged", report.Unchanged, "rejected", report.Rejected)
	return report, nil
}
