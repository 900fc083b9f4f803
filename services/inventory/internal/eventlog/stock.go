package eventlog

import (
	"bytes"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// Stock is a tenant's state in the stream, small enough for a million vehicles: about 200 bytes each.
type Stock struct {
	// Vehicles are the newest messages by vehicle id.
	Vehicles map[string]Last
	// AsOf is the sequence of the newest message that was read; 0 when there is none.
	AsOf uint64
	// Confirmed is the last valid confirmation, and ConfirmedSeq the sequence of the last message in its place; 0 when there is none.
	Confirmed    Confirmation
	ConfirmedSeq uint64
}

// Last is what the newest message of one vehicle says.
type Last struct {
	Seq uint64 // of the stream
	// OnSale says that the vehicle is listed.
	OnSale bool
	// Broken says that the message is no valid event; all else but Seq is unknown then.
	Broken bool
	// Facts is the digest of the state's facts, as vehicle.FactsSum makes it.
	Facts [16]byte
	// ObservedAt is the event's, in microseconds since 1970.
	ObservedAt int64
	// Rooftop is where the vehicle stands; "" when not known.
	Rooftop string
}

// ConfirmedAt is when the vehicle was last confirmed, in microseconds since 1970; 0: never since its last event.
func (s *Stock) ConfirmedAt(id string) int64 { return micros(s.Confirmed.At(id, s.Vehicles[id].Seq)) }

// stockDecoder fills a stock from several goroutines.
type stockDecoder struct {
	mu       sync.Mutex
	stock    *Stock
	rooftops map[string]string // one string per name, however many vehicles stand there
	// confirmationBroken says that the last confirmation cannot be read.
	confirmationBroken bool
}

func (d *stockDecoder) decode(messages []Message) {
	for _, m := range messages {
		if m.IsConfirmation() {
			c, err := m.Confirmation()
			d.putConfirmation(m.Seq, c, err)
			continue
		}
		e, err := m.Event()
		if err != nil {
			d.put(e.VehicleID, Last{Seq: m.Seq, Broken: true})
			continue
		}
		d.put(e.VehicleID, lastOf(m.Seq, e))
	}
}

func lastOf(seq uint64, e Event) Last {
	facts, err := vehicle.FactsSum(e.State)
	if err != nil {
		return Last{Seq: seq, Broken: true}
	}
	return Last{Seq: seq, OnSale: e.Kind != Delisted, Facts: facts, ObservedAt: e.ObservedAt.UnixMicro(), Rooftop: rooftopOf(e.State)}
}

// put keeps the newest message: one that was published while the stock was read comes after another of the vehicle.
func (d *stockDecoder) put(id string, last Last) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stock.AsOf = max(d.stock.AsOf, last.Seq)
	if d.stock.Vehicles[id].Seq > last.Seq {
		return
	}
	if name, ok := d.rooftops[last.Rooftop]; ok {
		last.Rooftop = name
	} else {
		d.rooftops[last.Rooftop] = last.Rooftop
	}
	d.stock.Vehicles[strings.Clone(id)] = last
}

func (d *stockDecoder) putConfirmation(seq uint64, c Confirmation, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stock.AsOf = max(d.stock.AsOf, seq)
	if seq > d.stock.ConfirmedSeq {
		d.stock.ConfirmedSeq, d.stock.Confirmed, d.confirmationBroken = seq, c, err != nil
	}
}

// rooftopOf reads the rooftop of a vehicle in canonical JSON, where it is among the first members.
func rooftopOf(state []byte) string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(state))
	if _, err := dec.ReadToken(); err != nil {
		return ""
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return ""
		}
		if name.String() != "rooftop" {
			if err := dec.SkipValue(); err != nil {
				return ""
			}
			continue
		}
		if value, err := dec.ReadToken(); err == nil && value.Kind() == '"' {
			return value.String()
		}
		return ""
	}
	return ""
}
