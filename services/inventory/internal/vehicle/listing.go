package vehicle

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// Evidence tells where a listing's facts come from.
type Evidence struct {
	Source     string // the feed or system that reported them
	ObservedAt time.Time
	EventID    string // the event that recorded them
}

// Identity is how a vehicle can be named. An empty part is not known.
type Identity struct{ VehicleID, VIN, Stock string }

// Facts are the members of a listing that it is found by, as written; "" and NaN are absent.
type Facts struct {
	Identity
	Make, Model, Trim, Body       string
	Transmission, Fuel, Driveline string
	ExteriorColor, InteriorColor  string
	Rooftop, ChargePort           string
	Condition, Status             string
	VehicleType                   string // "car" when absent
	Description                   string
	Features                      []string
	Year, Price, ListPrice, MSRP  float64 // money in whole US dollars
	Mileage, ElectricRangeMi      float64 // miles
	DisplacementCC                float64
	DCFastCharge                  *bool
	UpdatedAt                     int64 // microseconds since 1970
}

// Listing is a valid listing: canonical JSON with evidence, and the facts in it. It is never changed.
type Listing struct {
	JSON []byte
	Facts
	// UpdatedAtText and ObservedAtText are where the values of updated_at and evidence.observed_at stand in JSON, without their
	// quotes.
	UpdatedAtText, ObservedAtText Span
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End uint32 }

// ErrInvalid says that a vehicle is no listing.
var ErrInvalid = errors.New("not a valid listing")

// Parse reads a vehicle in JSON, adds the evidence and checks the whole as a listing. It returns ErrInvalid, wrapped, for one that is
// none. A listing in canonical JSON takes some microseconds, any other a multiple of ten.
func Parse(text []byte, e Evidence, check *contract.Validator) (*Listing, error) {
	if l := parseFast(text, e); l != nil {
		return l, nil
	}
	return parseSlow(text, e, check)
}

func parseSlow(text []byte, e Evidence, check *contract.Validator) (*Listing, error) {
	v, err := decode(text)
	if err != nil {
		return nil, err
	}
	v["evidence"] = map[string]any{"source": e.Source, "observed_at": RFC3339(e.ObservedAt), "event_id": e.EventID}
	if err := check.Listing(map[string]any(v)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	encoded, err := v.JSON()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	l := &Listing{JSON: encoded, Facts: v.listingFacts()}
	l.UpdatedAtText, l.ObservedAtText, err = findTimes(encoded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return l, nil
}

func decode(text []byte) (Vehicle, error) {
	value, err := contract.DecodeJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%w: the vehicle is not an object", ErrInvalid)
	}
	return object, nil
}

// findTimes finds the values of updated_at and evidence.observed_at in a listing's JSON.
func findTimes(listing []byte) (updated, observed Span, err error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(listing))
	for observed.End == 0 {
		token, err := d.ReadToken()
		if err != nil {
			return Span{}, Span{}, fmt.Errorf("read the listing's times: %w", err)
		}
		if token.Kind() != '"' { // the listing or its evidence begins
			continue
		}
		switch d.StackPointer() {
		case "/updated_at":
			updated, err = skipText(d)
		case "/evidence":
		case "/evidence/observed_at":
			observed, err = skipText(d)
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return Span{}, Span{}, fmt.Errorf("read the listing's times: %w", err)
		}
	}
	return updated, observed, nil
}

// skipText reads a string without escapes and says where it stands.
func skipText(d *jsontext.Decoder) (Span, error) {
	value, err := d.ReadValue()
	end := uint32(d.InputOffset())
	return Span{end - uint32(len(value)) + 1, end - 1}, err
}

// RFC3339 is the text of a time in UTC, as precise as the log keeps it: microseconds.
func RFC3339(t time.Time) string { return string(appendRFC3339(nil, t)) }

func (v Vehicle) listingFacts() Facts {
	number := func(name string) float64 {
		if f, ok := v.Number(name); ok {
			return f
		}
		return math.NaN()
	}
	f := Facts{
		Identity: Identity{VehicleID: v.Text("vehicle_id"), VIN: v.Text("vin"), Stock: v.Text("stock")},
		Make:     v.Text("make"), Model: v.Text("model"), Trim: v.Text("trim"), Body: v.Text("body"),
		Transmission: v.Text("transmission"), Fuel: v.Text("fuel"), Driveline: v.Text("driveline"),
		ExteriorColor: v.Text("exterior_color"), InteriorColor: v.Text("interior_color"),
		Rooftop: v.Text("rooftop"), ChargePort: v.Text("charge_port"),
		Condition: v.Text("condition"), Status: v.Text("status"), VehicleType: v.Text("vehicle_type"),
		Description: v.Text("description"), Features: v.Texts("features"),
		Year: number("year"), Price: number("price"), ListPrice: number("list_price"), MSRP: number("msrp"),
		Mileage: number("mileage"), ElectricRangeMi: number("electric_range_mi"), DisplacementCC: number("displacement_cc"),
	}
	if f.VehicleType == "" {
		f.VehicleType = "car"
	}
	if b, ok := v.Bool("dc_fast_charge"); ok {
		f.DCFastCharge = &b
	}
	f.UpdatedAt, _ = v.Micros("updated_at")
	return f
}
