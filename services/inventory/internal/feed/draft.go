package feed

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// draft is a row whose values have been read, before it is known to be a listing.
type draft struct {
	line    int
	vehicle vehicle.Vehicle
	json    []byte // of the vehicle, once it is complete
	gone    bool
	// sources are the headers that members came from; a member without entry has its own name.
	sources []source
	// rooftops are the candidates for the rooftop, best first; empty texts are not stated.
	rooftops []place
	// failed says that a problem was reported, unreadable that the row has a VIN or a vehicle id that cannot be read.
	failed, unreadable bool
	// observedAt is when the row says that its facts were observed; zero when it does not.
	observedAt time.Time
}

// newDraft returns an empty draft, which is of use until the next one.
func (b *builder) newDraft(line int) *draft {
	if b.vehicle == nil {
		b.vehicle = make(vehicle.Vehicle, 48)
	}
	clear(b.vehicle)
	b.draft = draft{line: line, vehicle: b.vehicle, sources: b.draft.sources[:0]}
	return &b.draft
}

type source struct{ member, column string }

func (d *draft) put(member string, value any, column string) {
	d.vehicle[member] = value
	d.sources = append(d.sources, source{member, column})
}

func (d *draft) putIfAbsent(member string, value any, column string) {
	if d.vehicle[member] == nil {
		d.put(member, value, column)
	}
}

// column returns the header that a member's value came from last.
func (d *draft) column(member string) string {
	for _, s := range slices.Backward(d.sources) {
		if s.member == member {
			return s.column
		}
	}
	return member
}

// finish gives the draft its identity and defaults and adds it to the feed's rows, or reports why it is no listing.
func (b *builder) finish(d *draft) {
	id := b.identify(d)
	b.placeAt(d)
	if !d.gone {
		b.complete(d)
	}
	if d.failed {
		b.feed.Rejected++
		b.keep(d)
		return
	}
	b.feed.Rows = append(b.feed.Rows, Row{
		Line: d.line, Element: b.element, VehicleID: id, Gone: d.gone, JSON: d.json, ObservedAt: d.observedAt,
		VIN: d.vehicle.Text("vin"), Stock: d.vehicle.Text("stock"), Rooftop: d.vehicle.Text("rooftop"),
	})
}

func (b *builder) fail(d *draft, column string, v *badValue) {
	d.failed = true
	b.problem(d.line, column, v)
}

// complete sets what the feed left out and checks the whole as a listing.
func (b *builder) complete(d *draft) {
	if _, ok := d.vehicle["dealer_id"]; !ok {
		d.vehicle["dealer_id"] = b.settings.Tenant.ID
	}
	if _, ok := d.vehicle["updated_at"]; !ok {
		d.vehicle["updated_at"] = rfc3339(b.settings.Now)
	}
	if !b.bound(d) {
		return
	}
	b.warnOdd(d)
	if vehicle.IsPlain(d.json) {
		return
	}
	for _, member := range slices.Sorted(maps.Keys(d.vehicle)) {
		if isDeeper(d.vehicle[member], maxNesting) {
			b.fail(d, d.column(member), tooDeep)
			return
		}
	}
	var fault *contract.Error
	if err := b.settings.Check.Listing(map[string]any(d.vehicle)); errors.As(err, &fault) {
		for _, p := range fault.Problems {
			member, rest, _ := strings.Cut(strings.TrimPrefix(p.InstanceLocation, "/"), "/")
			column := d.column(member)
			if rest != "" {
				column += "/" + rest
			}
			b.fail(d, column, bad(p.Error, p.Correction))
		}
	}
}

// bound refuses a listing that is too large, at its largest member.
func (b *builder) bound(d *draft) (ok bool) {
	var err error
	d.json, err = d.vehicle.JSON()
	switch size := len(d.json); {
	case err != nil:
		b.fail(d, "", bad("the row cannot be written as JSON", "Save the file as UTF-8."))
	case size > b.settings.MaxListing:
		b.fail(d, d.column(largestMember(d.vehicle)), bad(fmt.Sprintf("the listing is larger than %d KiB", b.settings.MaxListing>>10),
			"Shorten the value in this column, which is the longest."))
	default:
		return true
	}
	return false
}

var tooDeep = bad(fmt.Sprintf("the value is nested deeper than %d levels", maxNesting), "Write it with fewer levels, or leave it out.")

// isDeeper says whether arrays and objects in a value go over more levels.
func isDeeper(value any, levels int) bool {
	switch value := value.(type) {
	case []any:
		return levels == 0 || slices.ContainsFunc(value, func(v any) bool { return isDeeper(v, levels-1) })
	case map[string]any:
		for _, v := range value {
			if isDeeper(v, levels-1) {
				return true
			}
		}
		return levels == 0
	}
	return false
}

func largestMember(v vehicle.Vehicle) string {
	largest, most := "", 0
	for _, member := range slices.Sorted(maps.Keys(v)) {
		if size, err := jsonSize(vehicle.Vehicle{member: v[member]}); err == nil && size > most {
			largest, most = member, size
		}
	}
	return largest
}

// jsonSize returns the length of a vehicle's JSON in bytes.
func jsonSize(v vehicle.Vehicle) (int, error) {
	text, err := v.JSON()
	return len(text), err
}

// warnOdd warns of values that are most likely wrong.
func (b *builder) warnOdd(d *draft) {
	if vin := d.vehicle.Text("vin"); isVIN(vin) && !hasCheckDigit(vin) {
		b.warn(d.line, d.column("vin"), mistypedVIN)
	}
	if d.vehicle["mileage"] == json.Number("0") && (d.vehicle["condition"] == "used" || d.vehicle["condition"] == "cpo") {
		b.warn(d.line, d.column("mileage"), bad("a used vehicle has a mileage of 0", "Give the odometer reading, or leave it empty."))
	}
}
