package eventlog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/services/inventory/internal/vehicle"
)

const (
	// confirmedToken takes the place of the vehicle in the subject. No vehicle id has a tilde: feeds allow letters, digits, "_" and "-".
	confirmedToken  = "~confirmed"
	confirmedType   = "forecourt.inventory.stock.confirmed.v1"
	confirmedSchema = contract.SchemaBaseURL + "event-inventory-confirmed.schema.json"
)

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

// At returns when the vehicle was last confirmed whose last event is at a sequence of the stream; zero: never since that event.
func (c Confirmation) At(vehicleID string, lastEvent uint64) time.Time {
	if lastEvent > c.AsOf {
		return time.Time{}
	}
	if at, ok := c.Others[vehicleID]; ok {
		return at
	}
	return c.ObservedAt
}

// IsConfirmation says whether a subject of the stream is that of confirmations.
func IsConfirmation(subject string) bool { return strings.HasSuffix(subject, "."+confirmedToken) }

// confirmedData is the event's data, valid against event-inventory-confirmed.schema.json. Vehicles of one time stand together.
type confirmedData struct {
	Tenant     string           `json:"tenant"`
	AsOf       uint64           `json:"as_of"`
	ObservedAt string           `json:"observed_at,omitzero"`
	Others     []confirmedGroup `json:"others"`
}

type confirmedGroup struct {
	ObservedAt string   `json:"observed_at,omitzero"`
	VehicleIDs []string `json:"vehicle_ids"`
}

// msg encodes the event.
func (c Confirmation) msg() (*nats.Msg, error) {
	data, err := json.Marshal(confirmedData{c.Tenant, c.AsOf, timeText(c.ObservedAt), c.groups()})
	if err != nil {
		return nil, fmt.Errorf("encode confirmation of tenant %s: %w", c.Tenant, err)
	}
	return event.Event{
		ID: c.ID, Type: confirmedType, Source: source, Time: c.latest(), DataSchema: confirmedSchema,
		CorrelationID: c.CorrelationID, Data: data,
	}.Msg(subject(c.Tenant, confirmedToken)), nil
}

// groups are the others by time, oldest first, each in the order of ids.
func (c Confirmation) groups() []confirmedGroup {
	byTime := make(map[int64][]string)
	for id, at := range c.Others {
		byTime[micros(at)] = append(byTime[micros(at)], id)
	}
	groups := make([]confirmedGroup, 0, len(byTime))
	for _, at := range slices.Sorted(maps.Keys(byTime)) {
		ids := byTime[at]
		slices.Sort(ids)
		groups = append(groups, confirmedGroup{timeText(ofMicros(at)), ids})
	}
	return groups
}

func (c Confirmation) latest() time.Time {
	latest := c.ObservedAt
	for _, at := range c.Others {
		if at.After(latest) {
			latest = at
		}
	}
	return latest
}

// DecodeConfirmation reads a message of a subject that IsConfirmation. What it returns names the tenant of the subject, also with an
// error, which is ErrInvalid, wrapped, and carries no value of the data.
func DecodeConfirmation(subject string, h nats.Header, data []byte) (Confirmation, error) {
	tenant, _, _ := strings.Cut(strings.TrimPrefix(subject, subjectPrefix), ".")
	c := Confirmation{Tenant: tenant}
	envelope, err := event.FromMsg(h, data)
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if envelope.Type != confirmedType {
		return c, fmt.Errorf("%w: the type is unknown", ErrInvalid)
	}
	var d confirmedData
	if json.Unmarshal(data, &d) != nil || d.Tenant != tenant || d.AsOf == 0 {
		return c, fmt.Errorf("%w: the data is no confirmation of the tenant", ErrInvalid)
	}
	c.ID, c.CorrelationID, c.AsOf = envelope.ID, envelope.CorrelationID, d.AsOf
	return c.decodeTimes(d)
}

func (c Confirmation) decodeTimes(d confirmedData) (Confirmation, error) {
	var ok bool
	if c.ObservedAt, ok = timeOf(d.ObservedAt); !ok {
		return c, fmt.Errorf("%w: observed_at is no time", ErrInvalid)
	}
	for _, group := range d.Others {
		at, ok := timeOf(group.ObservedAt)
		if !ok {
			return c, fmt.Errorf("%w: observed_at of others is no time", ErrInvalid)
		}
		if c.Others == nil {
			c.Others = make(map[string]time.Time)
		}
		for _, id := range group.VehicleIDs {
			c.Others[id] = at
		}
	}
	return c, nil
}

// timeText and timeOf write and read a time that may be unknown: zero is "".
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return vehicle.RFC3339(t)
}

func timeOf(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	return contract.ParseTime(text)
}

// micros and ofMicros are the log's precision of a time; zero stays zero.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func ofMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
