package index

import (
	"time"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// Confirmation says when listings were last found unchanged. Times are microseconds since 1970; 0 is never. A listing that is
// confirmed after the times it states shows the later time as updated_at and evidence.observed_at.
type Confirmation struct {
	// AsOf is the stream's sequence up to which listings are covered.
	AsOf uint64
	// At is the time for vehicles that Others does not name.
	At int64
	// Others are the times of some vehicles, by vehicle id.
	Others map[string]int64
}

// of returns when a listing was confirmed, by the sequence of its event; 0 is never. A nil Confirmation confirms nothing.
func (c *Confirmation) of(seq uint64, vehicleID string) int64 {
	if c == nil || seq > c.AsOf {
		return 0
	}
	if at, ok := c.Others[vehicleID]; ok {
		return at
	}
	return c.At
}

// Listing is a vehicle on sale as callers get it.
type Listing struct {
	text              []byte
	rooftop           string
	confirmed         int64
	updated, observed vehicle.Span
}

// Rooftop names the rooftop that holds the vehicle; "" when it has none.
func (l *Listing) Rooftop() string { return l.rooftop }

// JSON is the canonical encoding. It must not be changed: it is the index's own.
func (l *Listing) JSON() []byte {
	if l.confirmed == 0 {
		return l.text
	}
	as := vehicle.Listing{JSON: l.text, UpdatedAtText: l.updated, ObservedAtText: l.observed}
	return as.Confirmed(time.UnixMicro(l.confirmed))
}

// shown is the entry as callers get it.
func (e *entry) shown(c *Confirmation) Listing {
	l := e.listing
	return Listing{
		text: l.JSON, rooftop: e.terms[Rooftop], confirmed: c.of(e.seq, e.id.VehicleID),
		updated: l.UpdatedAtText, observed: l.ObservedAtText,
	}
}
