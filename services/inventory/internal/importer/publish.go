package importer

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/feed"
)

// prepareTogether is how many changes are prepared at a time: of the vehicles that leave the stock, the state is read then.
const prepareTogether = 1000

// target is a vehicle that the plan changes.
type target struct {
	id   string
	kind eventlog.Kind
	// row is the row behind it; missing vehicles have none.
	row *feed.Row
}

// targets are the vehicles that the plan changes, those of rows first.
func (r *run) targets() []target {
	var targets []target
	for n, kind := range r.plan.kinds {
		if kind != unchanged {
			targets = append(targets, target{r.feed.Rows[n].VehicleID, kind, &r.feed.Rows[n]})
		}
	}
	for _, id := range r.plan.missing {
		targets = append(targets, target{id: id, kind: eventlog.Delisted})
	}
	return targets
}

// publish appends an event for every vehicle that the plan changes.
func (r *run) publish(ctx context.Context) error {
	targets := r.targets()
	r.report.MissingKept = r.plan.missingKept
	r.report.Unchanged = len(r.feed.Rows) - (len(targets) - len(r.plan.missing))
	return r.append(ctx, targets, func(t target, stored bool) {
		switch {
		case stored && t.row == nil:
			r.report.Missing++
		case stored:
			r.report.count(t.kind)
		case t.row != nil:
			r.report.Rejected++
			r.report.Problems = append(r.report.Problems, feed.Problem{
				File: r.file, Line: t.row.Line, Element: t.row.Element,
				Problem: "another import changed this vehicle at the same time", Correction: "Import the file again.",
			})
		}
	})
}

// append publishes the targets' events and says for each whether it is stored. One that is not has lost to another import, whose event
// is newer than what this one knows; that takes an import whose lease ran out unnoticed, or another program that writes to the stream.
func (r *run) append(ctx context.Context, targets []target, answered func(t target, stored bool)) error {
	c := changes{run: r, targets: targets}
	total := int64(len(targets))
	r.Progress(Publishing, 0, total)
	err := r.Events.Append(ctx, c.prepared(ctx), func(n int, stored bool) {
		answered(c.sent[n], stored)
		if done := int64(n + 1); done%prepareTogether == 0 || done == total {
			r.Progress(Publishing, done, total)
		}
	})
	for _, t := range c.lost {
		answered(t, false)
	}
	if c.err != nil {
		return c.err
	}
	return err
}

// changes makes the events of targets, as many at a time as are needed.
type changes struct {
	*run
	targets []target
	sent    []target
	// lost are targets whose state is there no more, so that many events have come since.
	lost []target
	err  error // why it ended early
}

func (c *changes) prepared(ctx context.Context) iter.Seq[eventlog.Change] {
	return func(yield func(eventlog.Change) bool) {
		for together := range slices.Chunk(c.targets, prepareTogether) {
			states, err := c.lastStates(ctx, together)
			if err != nil {
				c.err = err
				return
			}
			for n, t := range together {
				event, ok := c.event(t, states[n])
				if !ok {
					c.lost = append(c.lost, t)
					continue
				}
				c.sent = append(c.sent, t)
				if !yield(eventlog.Change{Event: event, After: c.stock.Vehicles[t.id].Seq}) {
					return
				}
			}
		}
	}
}

// lastStates reads the last states of those targets that are delisted.
func (c *changes) lastStates(ctx context.Context, targets []target) ([]*eventlog.Event, error) {
	var places []int
	var sequences []uint64
	for n, t := range targets {
		if t.kind == eventlog.Delisted {
			places, sequences = append(places, n), append(sequences, c.stock.Vehicles[t.id].Seq)
		}
	}
	read, err := c.Events.States(ctx, sequences)
	if err != nil {
		return nil, err
	}
	states := make([]*eventlog.Event, len(targets))
	for n, place := range places {
		states[place] = read[n]
	}
	return states, nil
}

// event is what the stream gets of a target: the state of its row, or the last state when the vehicle leaves the stock. ok is false when
// that is not there.
func (c *changes) event(t target, last *eventlog.Event) (e eventlog.Event, ok bool) {
	e = eventlog.Event{
		ID: ulid.Make().String(), Kind: t.kind, Tenant: c.Tenant.ID, VehicleID: t.id,
		Source: "feed:" + c.feed.Dialect, ObservedAt: c.now, CorrelationID: c.correlation,
	}
	switch {
	case t.kind != eventlog.Delisted:
		e.State, e.ObservedAt = t.row.JSON, c.observedAt(*t.row)
	case last == nil:
		return e, false
	default:
		e.State = last.State
	}
	return e, true
}

// observedAt is when the facts of a row were observed: by this import, unless the row says that it was earlier.
func (r *run) observedAt(row feed.Row) time.Time {
	if row.ObservedAt.IsZero() || row.ObservedAt.After(r.now) {
		return r.now
	}
	return row.ObservedAt
}
