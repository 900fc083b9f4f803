package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// Projection applies the stream to an index.
type Projection struct {
	events *eventlog.Log
	index  *index.Index
	check  *contract.Validator
	log    *slog.Logger

	started  atomic.Bool
	caughtUp atomic.Bool
	backlog  atomic.Uint64 // messages to read at the start
	read     atomic.Uint64
}

// New returns a projection of the events into x that does not run yet.
func New(events *eventlog.Log, x *index.Index, check *contract.Validator, log *slog.Logger) *Projection {
	return &Projection{events: events, index: x, check: check, log: log}
}

// Run follows the events until ctx is done.
func (p *Projection) Run(ctx context.Context) error {
	return p.events.Follow(ctx, p.start, func(seq uint64, e eventlog.Event, err error, waiting uint64) {
		if err == nil {
			err = p.apply(seq, e)
		}
		if err != nil {
			p.skip(ctx, e, err)
		}
		p.read.Add(1)
		if waiting == 0 {
			p.caughtUp.Store(true)
		}
	})
}

func (p *Projection) start(backlog uint64) {
	p.backlog.Store(backlog)
	p.caughtUp.Store(backlog == 0)
	p.started.Store(true)
}

// Ready reports why the index may not be current: the start is not over, or the broker is away.
func (p *Projection) Ready(context.Context) error {
	switch {
	case !p.events.Connected():
		return errors.New("the connection to the broker is lost")
	case !p.started.Load():
		return errors.New("catching up: the stream is not read yet")
	case !p.caughtUp.Load():
		return fmt.Errorf("catching up: %d of %d vehicles", p.read.Load(), p.backlog.Load())
	}
	return nil
}

// skip passes over an invalid event. A replica that starts sees only the last message of a vehicle, so when that one is
// invalid it looks for the state before: replicas agree, however long they have run.
func (p *Projection) skip(ctx context.Context, e eventlog.Event, why error) {
	log := p.log.With("tenant", e.Tenant, "vehicle_id", e.VehicleID)
	log.Warn("inventory event skipped", "event_id", e.ID, "error", why)
	if p.index.Knows(e.Tenant, e.VehicleID) {
		return
	}
	history, err := p.events.History(ctx, e.Tenant, e.VehicleID)
	if err != nil {
		log.Error("vehicle left out: its last event is invalid and those before cannot be read", "error", err)
		return
	}
	for _, earlier := range slices.Backward(history) {
		if p.apply(earlier.Seq, earlier.Event) == nil {
			return
		}
	}
}

// apply changes the index as the event says. An error says that the event is not valid and changed nothing.
func (p *Projection) apply(seq uint64, e eventlog.Event) error {
	if e.Kind == eventlog.Delisted {
		id, err := vehicle.Identify(e.State)
		if err != nil {
			return err
		}
		p.index.Remove(e.Tenant, id)
		return nil
	}
	listing, err := vehicle.Parse(e.State, e.Evidence(), p.check)
	if err != nil {
		return err
	}
	p.index.Put(e.Tenant, seq, listing)
	return nil
}
