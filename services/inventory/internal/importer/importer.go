package importer

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// Report counts what an import did. Rows = Listed + Updated + Delisted + Unchanged + Rejected + Superseded.
type Report struct {
	Rows int `json:"rows"`
	// Listed vehicles are new or on sale again, Updated ones have other facts, Delisted ones are no longer for sale. Each is an
	// event that the broker has acknowledged.
	Listed   int `json:"listed"`
	Updated  int `json:"updated"`
	Delisted int `json:"delisted"`
	// Unchanged rows say what was known; they are no event.
	Unchanged int `json:"unchanged"`
	// Rejected rows are bad or lost to another import; Problems says why.
	Rejected int `json:"rejected"`
	// Superseded rows are replaced by a later row about the same vehicle.
	Superseded int `json:"superseded"`
	// Problems are in the order of lines; warnings are among them.
	Problems []feed.Problem `json:"problems,omitempty"`
}

// Importer imports the feeds of one tenant.
type Importer struct {
	Events *eventlog.Log
	Check  *contract.Validator
	Tenant *tenant.Document
	Now    func() time.Time
}

// Import reads a feed and appends what changed. When an error ends it early, the report counts what is known to be stored;
// importing the same file again completes the work.
func (i *Importer) Import(ctx context.Context, file string, r io.Reader) (Report, error) {
	now := i.Now()
	read, err := feed.Read(r, feed.Settings{
		Tenant: i.Tenant, File: file, Now: now, Check: i.Check, MaxListing: min(feed.MaxListing, i.Events.MaxVehicle()),
	})
	if err != nil {
		return Report{}, err
	}
	report := Report{Rows: read.Count, Rejected: read.Rejected, Superseded: read.Superseded, Problems: read.Problems}
	current, err := i.Events.Current(ctx, i.Tenant.ID)
	if err != nil {
		return report, err
	}
	changes, rows := i.plan(ctx, read, current, now)
	report.Unchanged = len(read.Rows) - len(rows)
	stored, err := i.Events.Append(ctx, changes)
	for n, ok := range stored {
		switch {
		case ok:
			report.count(changes[n].Event.Kind)
		case err == nil:
			report.Rejected++
			report.Problems = append(report.Problems, feed.Problem{
				File: file, Line: rows[n].Line,
				Problem: "another import changed this vehicle at the same time", Correction: "Import the file again.",
			})
		}
	}
	slices.SortStableFunc(report.Problems, func(a, b feed.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return report, err
}

func (r *Report) count(kind eventlog.Kind) {
	switch kind {
	case eventlog.Listed:
		r.Listed++
	case eventlog.Updated:
		r.Updated++
	case eventlog.Delisted:
		r.Delisted++
	}
}

// plan returns the events that bring the stream to what the feed says, and the row behind each.
func (i *Importer) plan(
	ctx context.Context, read *feed.Feed, current map[string]eventlog.Last, now time.Time,
) ([]eventlog.Change, []feed.Row) {
	var changes []eventlog.Change
	var rows []feed.Row
	for _, row := range read.Rows {
		last := current[row.VehicleID]
		kind, changed := decide(row, last)
		if !changed {
			continue
		}
		state := row.JSON
		if row.Gone {
			state = last.Event.State
		}
		changes = append(changes, eventlog.Change{After: last.Seq, Event: eventlog.Event{
			ID: ulid.Make().String(), Kind: kind, Tenant: i.Tenant.ID, VehicleID: row.VehicleID,
			Source: "feed:" + read.Dialect, ObservedAt: now, State: state, CorrelationID: correlation.From(ctx),
		}})
		rows = append(rows, row)
	}
	return changes, rows
}

// decide says what a row does to a vehicle whose last state is known; changed is false when it does nothing.
func decide(row feed.Row, last eventlog.Last) (kind eventlog.Kind, changed bool) {
	switch {
	case row.Gone:
		return eventlog.Delisted, last.OnSale()
	case !last.OnSale():
		return eventlog.Listed, true
	default:
		return eventlog.Updated, !vehicle.Same(row.JSON, last.Event.State)
	}
}
