package eventlog

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// decodeOwn reads data just as Event.msg writes it, with a state in canonical JSON, which then is a part of data and no copy. It says
// false for any other data, valid or not.
func (e *Event) decodeOwn(data []byte) bool {
	d := ownData{data}
	ok := d.skip(`{"vehicle_id":"`) && isPlain(e.VehicleID) && d.skip(e.VehicleID) && d.skip(`","observed_at":"`)
	observedAt, hasTime := d.text()
	ok = ok && hasTime && d.skip(`,"source":"`)
	source, hasSource := d.text()
	ok = ok && hasSource && isPlain(source) && d.skip(`,"tenant":"`) && isPlain(e.Tenant) && d.skip(e.Tenant) && d.skip(`","vehicle":`)
	if !ok || !bytes.HasSuffix(d.rest, []byte("}")) {
		return false
	}
	state := d.rest[:len(d.rest)-1]
	at, ok := contract.ParseTime(observedAt)
	if !ok || source == "" || !vehicle.IsCanonical(state) {
		return false
	}
	if id, err := vehicle.Identify(state); err != nil || id.VehicleID != e.VehicleID {
		return false
	}
	e.Source, e.ObservedAt, e.State = source, at, state
	return true
}

// ownData is what is still to be read of an event's data.
type ownData struct{ rest []byte }

func (d *ownData) skip(text string) bool {
	if len(d.rest) < len(text) || string(d.rest[:len(text)]) != text {
		return false
	}
	d.rest = d.rest[len(text):]
	return true
}

// text reads up to and over the next quote.
func (d *ownData) text() (string, bool) {
	text, rest, ok := bytes.Cut(d.rest, []byte(`"`))
	d.rest = rest
	return string(text), ok
}

// isPlain says that a text stands for itself in JSON.
func isPlain(text string) bool {
	for i := range len(text) {
		if b := text[i]; b < ' ' || b == '"' || b == '\\' {
			return false
		}
	}
	return utf8.ValidString(text)
}

// decodeAny reads any data and decides whether it is an event's.
func (e Event) decodeAny(data []byte) (Event, error) {
	value, err := contract.DecodeJSON(data)
	if err != nil {
		return e, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	object, _ := value.(map[string]any)
	state, _ := object["vehicle"].(map[string]any)
	head := vehicle.Vehicle(object)
	e.Source = head.Text("source")
	at, ok := contract.ParseTime(head.Text("observed_at"))
	e.ObservedAt = at
	switch {
	case head.Text("tenant") != e.Tenant || head.Text("vehicle_id") != e.VehicleID:
		return e, fmt.Errorf("%w: the data names another vehicle than the subject", ErrInvalid)
	case e.Source == "" || !ok:
		return e, fmt.Errorf("%w: source or observed_at is absent", ErrInvalid)
	case state == nil || vehicle.Vehicle(state).Text("vehicle_id") != e.VehicleID:
		return e, fmt.Errorf("%w: the vehicle's state is absent or another vehicle's", ErrInvalid)
	}
	if e.State, err = vehicle.Vehicle(state).JSON(); err != nil {
		return e, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return e, nil
}
