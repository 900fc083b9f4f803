package eventlog

import "time"

// Confirmation is the state of what imports have found unchanged: for every vehicle of a tenant when a feed last stated it. It is
// whole: the last one counts and those before are of no more use.
type Confirmation struct {
	ID     string // ce-id
	Tenant string
	// AsOf is the stream's sequence up to which events are covered: a vehicle whose last event is later states its own time.
	AsOf uint64
	// ObservedAt is when the vehicles were last stated that Others does not name; zero: never since their event.
	ObservedAt time.Time
	// Others are the vehicles with another time, by vehicle id; zero: never since their event.
	Others map[string]time.Time
	// CorrelationID is the id of the import that caused the event; may be "".
	CorrelationID string
}
