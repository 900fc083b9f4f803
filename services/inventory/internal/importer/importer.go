package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
)

// Options say how a feed is taken. The zero value adds and changes what the file names and leaves all else as it is.
type Options struct {
	// Dialect forces a dialect; "" takes the tenant's, or recognises it by what the file holds.
	Dialect string
	// Rooftop is the rooftop that the file is of: rows that name none have it, rows of another are bad. "" is all.
	Rooftop string
	// Replace delists the vehicles that the file does not name, of Rooftop where one is given.
	Replace bool
	// AllowEmpty lets Replace take a file that lists nothing for sale.
	AllowEmpty bool
	// Strict imports nothing when a row is bad.
	Strict bool
}

// Errors that refuse a file whole. The report that comes with them counts what the import would have done.
var (
	ErrBadRows      = errors.New("the file has bad rows and the import is strict: nothing was imported")
	ErrListsNothing = errors.New("the file lists no vehicle for sale and would take all of them off sale: nothing was imported")
)

// Unreadable is the error of a file that is no feed, or of which reading failed. Importing it again makes no difference.
type Unreadable struct{ error }

func (u Unreadable) Unwrap() error { return u.error }

// Importer imports the feeds of one tenant.
type Importer struct {
	Events *eventlog.Log
	Leases *Leases
	Check  *contract.Validator
	Tenant *tenant.Document
	Options
	Now func() time.Time
	// Progress is told how far the work is, from one goroutine at a time.
	Progress func(stage Stage, done, total int64)
}

// Stage is a part of an import's work.
type Stage string

// The stages, in their order.
const (
	Waiting    Stage = "waiting"    // for another import of the tenant
	Reading    Stage = "reading"    // the file, in bytes
	Comparing  Stage = "comparing"  // with the stream, in vehicles
	Publishing Stage = "publishing" // what changed, in events
)

// Import reads a feed, appends what changed and confirms what did not, while no other import of the tenant runs. When an error ends it
// early, the report counts what is known to be stored; importing the same file again completes the work.
func (i *Importer) Import(ctx context.Context, file string, r io.Reader) (Report, error) {
	rooftop, err := i.rooftop()
	if err != nil {
		return Report{}, err
	}
	i.Progress(Waiting, 0, 0)
	held, release, err := i.Leases.Acquire(ctx, i.Tenant.ID)
	if err != nil {
		return Report{}, err
	}
	defer release()
	report, err := i.importHeld(held, file, r, rooftop)
	if err != nil && errors.Is(context.Cause(held), ErrLeaseLost) {
		err = ErrLeaseLost
	}
	return report, err
}

// importHeld is Import while the lease is held.
func (i *Importer) importHeld(ctx context.Context, file string, r io.Reader, rooftop string) (Report, error) {
	now := i.Now().Truncate(time.Microsecond) // as precise as the log keeps times
	read, err := i.read(r, file, rooftop, now)
	if err != nil {
		return Report{}, err
	}
	stock, err := i.Events.Current(ctx, i.Tenant.ID, func(done, total int64) { i.Progress(Comparing, done, total) })
	if err != nil {
		return newReport(read), err
	}
	feed.Settle(read.Rows, i.Tenant.ID, func(id string) bool {
		_, known := stock.Vehicles[id]
		return known
	})
	run := &run{
		Importer: i, file: file, now: now, correlation: correlation.From(ctx), stock: stock, feed: read,
		plan: newPlan(read, stock, i.Replace, rooftop), report: newReport(read),
	}
	if err = i.refusal(read); err != nil {
		run.forecast()
	} else if err = run.publish(ctx); err == nil {
		err = run.confirm(ctx)
	}
	slices.SortStableFunc(run.report.Problems, func(a, b feed.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return run.report, err
}

// rooftop returns the tenant's spelling of the option.
func (i *Importer) rooftop() (string, error) {
	if i.Rooftop == "" {
		return "", nil
	}
	names := make([]string, len(i.Tenant.Rooftops))
	for n, r := range i.Tenant.Rooftops {
		if strings.EqualFold(strings.TrimSpace(i.Rooftop), r.Name) {
			return r.Name, nil
		}
		names[n] = r.Name
	}
	return "", fmt.Errorf("the rooftop is not one of the dealership; use one of %s", strings.Join(names, ", "))
}

func (i *Importer) read(r io.Reader, file, rooftop string, now time.Time) (*feed.Feed, error) {
	total := size(r)
	i.Progress(Reading, 0, total)
	read, err := feed.Read(r, feed.Settings{
		Tenant: i.Tenant, File: file, Now: now, Check: i.Check, MaxListing: min(feed.MaxListing, i.Events.MaxVehicle()),
		Dialect: i.Dialect, Rooftop: rooftop, Progress: func(bytes int64) { i.Progress(Reading, bytes, total) },
	})
	if err != nil {
		return nil, Unreadable{err}
	}
	return read, nil
}

// size returns the length of a regular file; 0 when r is something else.
func size(r io.Reader) int64 {
	file, ok := r.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return 0
	}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		return info.Size()
	}
	return 0
}

// refusal says why a file is not imported at all.
func (i *Importer) refusal(read *feed.Feed) error {
	listsNone := !slices.ContainsFunc(read.Rows, func(row feed.Row) bool { return !row.Gone })
	switch {
	case i.Replace && !i.AllowEmpty && listsNone:
		return ErrListsNothing
	case i.Strict && read.Rejected > 0:
		return ErrBadRows
	}
	return nil
}

// run is one import whose file has been compared.
type run struct {
	*Importer
	file        string
	now         time.Time
	correlation string
	stock       *eventlog.Stock
	feed        *feed.Feed
	plan        *plan
	report      Report
}

func newReport(read *feed.Feed) Report {
	return Report{
		Dialect: read.Dialect, Encoding: read.Encoding,
		Rows: read.Count, Rejected: read.Rejected, Superseded: read.Superseded, Problems: read.Problems, Omitted: read.Omitted,
	}
}

// forecast counts what publishing would do.
func (r *run) forecast() {
	for _, kind := range r.plan.kinds {
		r.report.count(kind)
	}
	r.report.Missing, r.report.MissingKept = len(r.plan.missing), r.plan.missingKept
	_, r.report.Confirmed = r.confirmation()
}
