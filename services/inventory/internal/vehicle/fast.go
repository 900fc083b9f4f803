package vehicle

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// parseFast is Parse for a vehicle in canonical JSON that is plainly a listing: one pass over the text, which is copied once. It
// returns nil for every other, valid or not.
func parseFast(text []byte, e Evidence) *Listing {
	var at layout
	if !scanListing(text, &at) {
		return nil
	}
	var room [256]byte
	member, observed, ok := e.append(room[:0])
	if !ok {
		return nil
	}
	l := &Listing{JSON: make([]byte, 0, len(text)+1+len(member))}
	// Status and updated_at stand before it, so that a comma does.
	l.JSON = append(append(append(l.JSON, text[:at.tail]...), ','), member...)
	evidence := at.tail + 1
	l.JSON = append(l.JSON, text[at.tail:]...)
	l.UpdatedAtText = inner(at.known[updatedAt])
	l.ObservedAtText = Span{evidence + observed.Start, evidence + observed.End}
	l.Facts = at.facts(l.JSON)
	return l
}

// IsPlain says whether a vehicle in canonical JSON is plainly a valid listing. It says false of every other, valid or not, which is
// contract.Validator's to judge.
func IsPlain(text []byte) bool { return scanListing(text, new(layout)) }

func scanListing(text []byte, at *layout) bool {
	s := scanner{text: text}
	if !s.vehicle(at, func(s *scanner, member int) bool { return rules[member].scan(s) }) {
		return false
	}
	for _, member := range requiredMembers {
		if at.known[member].End == 0 {
			return false
		}
	}
	return true
}

// append writes the evidence as a member in canonical JSON and says where the time stands in it. It says false when the evidence
// would not be valid.
func (e Evidence) append(dst []byte) (member []byte, observedAt Span, ok bool) {
	at := e.ObservedAt.UTC()
	if y := at.Year(); y < 1 || y > 9999 {
		return nil, Span{}, false
	}
	dst, err := jsontext.AppendQuote(append(dst, `"evidence":{"event_id":`...), e.EventID)
	if err != nil {
		return nil, Span{}, false
	}
	dst = append(dst, `,"observed_at":"`...)
	observedAt.Start = uint32(len(dst))
	dst = appendRFC3339(dst, at)
	observedAt.End = uint32(len(dst))
	if dst, err = jsontext.AppendQuote(append(dst, `","source":`...), e.Source); err != nil {
		return nil, Span{}, false
	}
	return append(dst, '}'), observedAt, true
}

func appendRFC3339(dst []byte, t time.Time) []byte {
	return t.UTC().Truncate(time.Microsecond).AppendFormat(dst, time.RFC3339Nano)
}

// inner is a string's span without its quotes.
func inner(s Span) Span { return Span{s.Start + 1, s.End - 1} }

// facts reads the facts of a listing; their strings are views of the JSON, which has the known members where at says.
func (at *layout) facts(json []byte) Facts {
	f := Facts{
		Identity: Identity{VehicleID: at.text(json, vehicleID), VIN: at.text(json, vin), Stock: at.text(json, stock)},
		Make:     at.text(json, maker), Model: at.text(json, model), Trim: at.text(json, trim), Body: at.text(json, body),
		Transmission: at.text(json, transmission), Fuel: at.text(json, fuel), Driveline: at.text(json, driveline),
		ExteriorColor: at.text(json, exteriorColor), InteriorColor: at.text(json, interiorColor),
		Rooftop: at.text(json, rooftop), ChargePort: at.text(json, chargePort),
		Condition: at.text(json, condition), Status: at.text(json, status), VehicleType: at.text(json, vehicleType),
		Description: at.text(json, description), Features: at.texts(json, features),
		Year: at.number(json, year), Price: at.number(json, price), ListPrice: at.number(json, listPrice), MSRP: at.number(json, msrp),
		Mileage: at.number(json, mileage), ElectricRangeMi: at.number(json, electricRangeMi),
		DisplacementCC: at.number(json, displacementCC),
	}
	if f.VehicleType == "" {
		f.VehicleType = "car"
	}
	if span := at.known[dcFastCharge]; span.End != 0 {
		yes := json[span.Start] == 't'
		f.DCFastCharge = &yes
	}
	if t, ok := contract.ParseTime(at.text(json, updatedAt)); ok {
		f.UpdatedAt = t.UnixMicro()
	}
	return f
}

// text returns a string member; "" when it is absent or null.
func (at *layout) text(json []byte, member int) string {
	span := at.known[member]
	if span.End == 0 || json[span.Start] != '"' {
		return ""
	}
	return unquoted(json[span.Start:span.End])
}

// unquoted is the value of a string that the scanner has taken; a view of it when it has no escapes.
func unquoted(quoted []byte) string {
	plain := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(plain, '\\') < 0 {
		return view(plain)
	}
	value, _ := jsontext.AppendUnquote(make([]byte, 0, len(plain)), quoted) // cannot fail
	return view(value)
}

func (at *layout) texts(json []byte, member int) []string {
	span := at.known[member]
	if span.End-span.Start <= uint32(len("[]")) {
		return nil
	}
	list := make([]string, 0, bytes.Count(json[span.Start:span.End], []byte(`",`))+1) // or a little more than there are
	s := scanner{text: json, pos: int(span.Start)}
	s.list(func() bool {
		start := s.pos
		_, ok := s.string()
		list = append(list, unquoted(json[start:s.pos]))
		return ok
	})
	return list
}

func (at *layout) number(json []byte, member int) float64 {
	span := at.known[member]
	if span.End == 0 {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(view(json[span.Start:span.End]), 64)
	if err != nil { // the scanner has taken it before
		return math.NaN()
	}
	return f
}
