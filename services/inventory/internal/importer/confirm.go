package importer

import (
	"context"
	"errors"
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/services/inventory/internal/eventlog"
)

// confirm publishes when the feeds of the tenant have last stated each vehicle, this one included; nothing when that is known.
//
// A confirmation that names too many vehicles for one message is not published. Each vehicle that it would confirm has an `updated`
// event with its own time instead, and the last confirmation stays right for the rest: it does not cover later events.
func (r *run) confirm(ctx context.Context) error {
	next, confirmed := r.confirmation()
	if confirmed == 0 {
		return nil
	}
	stored, err := r.Events.Confirm(ctx, next, r.stock.ConfirmedSeq)
	if errors.Is(err, eventlog.ErrTooLarge) {
		return r.confirmEach(ctx)
	}
	if stored {
		r.report.Confirmed = confirmed
	}
	return err
}

// confirmEach publishes an event for each vehicle that the feed confirms.
func (r *run) confirmEach(ctx context.Context) error {
	var targets []target
	for n, row := range r.feed.Rows {
		if _, covered, confirmed := r.statedAt(row.VehicleID); covered && confirmed {
			targets = append(targets, target{row.VehicleID, eventlog.Updated, &r.feed.Rows[n]})
		}
	}
	return r.append(ctx, targets, func(_ target, stored bool) {
		if stored {
			r.report.Confirmed++
		}
	})
}

// confirmation merges the last confirmation with what this run found unchanged, and counts what it confirms later than was known. It
// covers the vehicles on sale that this run does not change. The time that most of them share needs no ids.
func (r *run) confirmation() (next eventlog.Confirmation, confirmed int) {
	share := make(map[int64]int) // vehicles by time
	for id := range r.stock.Vehicles {
		at, covered, later := r.statedAt(id)
		if covered {
			share[at]++
		}
		if later {
			confirmed++
		}
	}
	rest := mostShared(share)
	next = eventlog.Confirmation{
		ID: ulid.Make().String(), Tenant: r.Tenant.ID, AsOf: r.stock.AsOf, ObservedAt: timeOf(rest),
		Others: make(map[string]time.Time), CorrelationID: r.correlation,
	}
	for id := range r.stock.Vehicles {
		if at, covered, _ := r.statedAt(id); covered && at != rest {
			next.Others[id] = timeOf(at)
		}
	}
	return next, confirmed
}

// statedAt is when a vehicle was last stated unchanged, in microseconds since 1970; 0: never since its event. covered is false for one
// that is not on sale after this run or has an event of it; confirmed says that this run has stated it later than was known.
func (r *run) statedAt(id string) (at int64, covered, confirmed bool) {
	last := r.stock.Vehicles[id]
	if !last.OnSale || r.plan.leaves[id] {
		return 0, false, false
	}
	at = r.stock.ConfirmedAt(id)
	n, named := r.plan.rows[id]
	switch {
	case !named:
		return at, true, false
	case r.plan.kinds[n] != unchanged:
		return 0, false, false
	}
	if now := r.observedAt(r.feed.Rows[n]).UnixMicro(); now > max(at, last.ObservedAt) {
		return now, true, true
	}
	return at, true, false
}

// mostShared returns the time that most vehicles have, the latest of several.
func mostShared(share map[int64]int) int64 {
	var most int64
	for at, n := range share {
		if n > share[most] || n == share[most] && at > most {
			most = at
		}
	}
	return most
}

func timeOf(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
