package eventlog

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"

	"forecourt.internal/contract"
	"forecourt.internal/platform/event"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// Kind is what happened to a vehicle.
type Kind string

// The kinds, as they occur in event types.
const (
	Listed   Kind = "listed"   // on sale, new or again
	Updated  Kind = "updated"  // on sale before, with other facts
	Delisted Kind = "delisted" // no longer for sale; the event keeps the last known state
)

const (
	subjectPrefix = "inventory.v1."
	typePrefix    = "forecourt.inventory.vehicle."
	typeSuffix    = ".v1"
	source        = "/forecourt/inventory"
	dataSchema    = contract.SchemaBaseURL + "event-inventory-vehicle.schema.json"
)

// ErrInvalid says that a message of the stream is not an event of this package.
var ErrInvalid = errors.New("not a valid inventory event")

// Event is the whole state of one vehicle at one time.
type Event struct {
	ID         string // ce-id
	Kind       Kind
	Tenant     string
	VehicleID  string
	Source     string // the feed that reported the state
	ObservedAt time.Time
	// State is the vehicle in canonical JSON. It has no evidence: that is Evidence, derived from the event itself.
	State []byte
	// CorrelationID is the id of the import that caused the event; may be "".
	CorrelationID string
}

// Evidence is the listing member that tells where its facts come from.
func (e Event) Evidence() vehicle.Evidence {
	return vehicle.Evidence{Source: e.Source, ObservedAt: e.ObservedAt, EventID: e.ID}
}

// msg encodes the event. Its data is valid against event-inventory-vehicle.schema.json.
func (e Event) msg() (*nats.Msg, error) {
	data := make([]byte, 0, 160+len(e.VehicleID)+len(e.Source)+len(e.Tenant)+len(e.State))
	for _, member := range [...]struct{ before, text string }{
		{`{"vehicle_id":`, e.VehicleID}, {`,"observed_at":`, vehicle.RFC3339(e.ObservedAt)}, {`,"source":`, e.Source}, {`,"tenant":`, e.Tenant},
	} {
		var err error
		if data, err = jsontext.AppendQuote(append(data, member.before...), member.text); err != nil {
			return nil, fmt.Errorf("encode event of vehicle %s: %w", e.VehicleID, err)
		}
	}
	data = append(append(append(data, `,"vehicle":`...), e.State...), '}')
	return event.Event{
		ID: e.ID, Type: typePrefix + string(e.Kind) + typeSuffix, Source: source, Subject: e.VehicleID,
		Time: e.ObservedAt, DataSchema: dataSchema, CorrelationID: e.CorrelationID, Data: data,
	}.Msg(subject(e.Tenant, e.VehicleID)), nil
}

// Decode reads a message of the stream. What it returns names the tenant and vehicle of the subject, also with an error,
// which is ErrInvalid, wrapped, and carries no value of the data.
func Decode(subject string, h nats.Header, data []byte) (Event, error) {
	tenant, id, ok := strings.Cut(strings.TrimPrefix(subject, subjectPrefix), ".")
	e := Event{Tenant: tenant, VehicleID: id}
	if !ok {
		return e, fmt.Errorf("%w: the subject has no vehicle", ErrInvalid)
	}
	envelope, err := event.FromMsg(h, data)
	if err != nil {
		return e, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	e.ID, e.CorrelationID = envelope.ID, envelope.CorrelationID
	name, hasPrefix := strings.CutPrefix(envelope.Type, typePrefix)
	name, hasSuffix := strings.CutSuffix(name, typeSuffix)
	e.Kind = Kind(name)
	if !hasPrefix || !hasSuffix || e.Kind != Listed && e.Kind != Updated && e.Kind != Delisted {
		return e, fmt.Errorf("%w: the type is unknown", ErrInvalid)
	}
	if e.decodeOwn(data) {
		return e, nil
	}
	return e.decodeAny(data)
}

func subject(tenant, vehicleID string) string { return subjectPrefix + tenant + "." + vehicleID }
