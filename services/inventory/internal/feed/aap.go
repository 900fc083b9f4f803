package feed

import (
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// addAAP adds a row that is a vehicle in the contract's own shape.
func (b *builder) addAAP(line int, element []byte) {
	value, err := contract.DecodeJSON(element)
	object, isObject := value.(map[string]any)
	if err != nil || !isObject {
		b.reject(line, "", bad("the element is not a JSON object in UTF-8 with unique member names", "Write one object per vehicle."))
		return
	}
	b.feed.Count++
	d := &draft{line: line, vehicle: vehicle.Vehicle(object)}
	b.normalize(d)
	b.finish(d)
}

// normalize gives the members of a vehicle the values that the contract has for what other systems write: null and a price of
// zero are absent, and words for status and condition are as free as in other feeds.
func (b *builder) normalize(d *draft) {
	v := d.vehicle
	for name, value := range v {
		if value == nil && vehicle.Known(name) && name != "charge_port" {
			delete(v, name)
		}
	}
	b.takeEvidence(d)
	for _, price := range []string{"price", "list_price", "msrp"} {
		if n, ok := v.Number(price); ok && n == 0 {
			delete(v, price)
		}
	}
	if vin, stated := v["vin"]; stated {
		text, _ := vin.(string)
		b.take(d, "vin", cell{"vin", text}, parseVIN)
		d.unreadable = d.failed
	}
	if status, ok := v["status"].(string); ok {
		if isAbsent(status) {
			delete(v, "status") // which a listing must have
		} else {
			b.setStatus(d, cell{"status", status})
		}
	}
	if condition, ok := conditions[wordKey(v.Text("condition"))]; ok {
		v["condition"] = condition
	}
	if rooftop, ok := v["rooftop"].(string); ok {
		d.rooftops = []place{{cell: cell{"rooftop", rooftop}}}
		delete(v, "rooftop") // set again when it is one of the tenant
	}
}

// takeEvidence removes the evidence, as the event that will record the row makes its own, and keeps when the facts were observed:
// an export says so, and importing it must not make them fresher than they are.
func (b *builder) takeEvidence(d *draft) {
	evidence, _ := d.vehicle["evidence"].(map[string]any)
	delete(d.vehicle, "evidence")
	if at, ok := vehicle.Vehicle(evidence).Micros("observed_at"); ok && at <= b.settings.Now.UnixMicro() {
		d.observedAt = time.UnixMicro(at).UTC()
	}
}
