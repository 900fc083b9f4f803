package projection

import (
	"context"
	"slices"
	"time"

	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// change is what a message does to the index: one of listing, gone and confirmation, or none when err says that it is not valid.
type change struct {
	seq          uint64
	event        eventlog.Event // names the tenant in any case
	lane         int
	listing      *vehicle.Listing
	gone         vehicle.Identity
	confirms     bool // the message is in the place of confirmations
	confirmation index.Confirmation
	err          error
}

// prepare does all that needs no other message.
func (p *Projection) prepare(m eventlog.Message) change {
	if m.IsConfirmation() {
		c, err := m.Confirmation()
		return change{
			seq: m.Seq, event: eventlog.Event{ID: c.ID, Tenant: c.Tenant}, confirms: true, confirmation: confirmationOf(c), err: err,
		}
	}
	e, err := m.Event()
	if err != nil {
		return change{seq: m.Seq, event: e, err: err}
	}
	return p.prepareEvent(m.Seq, e)
}

func (p *Projection) prepareEvent(seq uint64, e eventlog.Event) change {
	c := change{seq: seq, event: e}
	if e.Kind == eventlog.Delisted {
		c.gone, c.err = vehicle.Identify(e.State)
	} else {
		c.listing, c.err = vehicle.Parse(e.State, e.Evidence(), p.check)
	}
	c.event.State = nil // the listing has its own
	return c
}

func confirmationOf(c eventlog.Confirmation) index.Confirmation {
	others := make(map[string]int64, len(c.Others))
	for id, at := range c.Others {
		others[id] = micros(at)
	}
	return index.Confirmation{AsOf: c.AsOf, At: micros(c.ObservedAt), Others: others}
}

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// apply changes the index.
func (p *Projection) apply(ctx context.Context, c *change) {
	switch {
	case c.err != nil && c.confirms:
		p.skipConfirmation(ctx, c)
	case c.err != nil:
		p.skip(ctx, c)
	case c.confirms:
		p.index.Confirm(c.event.Tenant, c.confirmation)
	case c.listing != nil:
		p.index.Put(c.event.Tenant, c.seq, c.listing)
	default:
		p.index.Remove(c.event.Tenant, c.gone)
	}
}

// skip passes over an invalid event. A replica that starts sees only the last message of a vehicle, so when that one is
// invalid it looks for the state before: replicas agree, however long they have run.
func (p *Projection) skip(ctx context.Context, c *change) {
	log := p.log.With("tenant", c.event.Tenant, "vehicle_id", c.event.VehicleID)
	log.Warn("inventory event skipped", "event_id", c.event.ID, "error", c.err)
	if p.index.Knows(c.event.Tenant, c.event.VehicleID) {
		return
	}
	history, err := p.events.History(ctx, c.event.Tenant, c.event.VehicleID)
	if err != nil {
		log.Error("vehicle left out: its last event is invalid and those before cannot be read", "error", err)
		return
	}
	for _, stored := range slices.Backward(history) {
		if stored.Seq > c.seq {
			continue // it comes in its turn
		}
		if earlier := p.prepareEvent(stored.Seq, stored.Event); earlier.err == nil {
			p.apply(ctx, &earlier)
			return
		}
	}
}

// skipConfirmation passes over an invalid confirmation, as skip does over an event.
func (p *Projection) skipConfirmation(ctx context.Context, c *change) {
	log := p.log.With("tenant", c.event.Tenant)
	log.Warn("confirmation skipped", "event_id", c.event.ID, "error", c.err)
	history, err := p.events.Confirmations(ctx, c.event.Tenant)
	if err != nil {
		log.Error("the last confirmation is invalid and those before cannot be read", "error", err)
		return
	}
	for _, stored := range slices.Backward(history) {
		if stored.Seq < c.seq {
			p.index.Confirm(c.event.Tenant, confirmationOf(stored.Confirmation))
			return
		}
	}
}
