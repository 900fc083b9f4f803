package feed

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/vehicle"
)

// draft is a row whose values have been read, before it is known to be a listing.
type draft struct {
	line    int
	vehicle vehicle.Vehicle
	json    []byte // of the vehicle, once it is complete
	gone    bool
	// columns are the headers that members came from; a member without entry has its own name.
	columns map[string]string
	// statusColumn is the header that the row's status stands under; "" when the feed has no such column.
	statusColumn string
	// rooftops are the candidates for the rooftop, best first; empty texts are not stated.
	rooftops []cell
	// observedAt is when the facts were observed; zero when the row does not say it.
	observedAt time.Time
	// failed says that a problem was reported.
	failed bool
}

func (d *draft) column(member string) string {
	if column, ok := d.columns[member]; ok {
		return column
	}
	return member
}

// vehicleIDPattern makes an id safe as a token of a NATS subject and short enough for any system.
var vehicleIDPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// finish gives the draft its identity and defaults and adds it to the feed's rows, or reports why it is no listing.
func (b *builder) finish(d *draft) {
	id := b.identify(d)
	if !d.gone {
		b.complete(d)
	}
	if d.failed {
		b.feed.Rejected++
		return
	}
	row := Row{
		Line: d.line, Element: b.element, VehicleID: id, Gone: d.gone, ObservedAt: d.observedAt,
		VIN: d.vehicle.Text("vin"), Stock: d.vehicle.Text("stock"), Rooftop: d.vehicle.Text("rooftop"),
	}
	if !d.gone {
		row.JSON = d.json
	}
	b.feed.Rows = append(b.feed.Rows, row)
}

func (b *builder) fail(d *draft, column string, v *badValue) {
	d.failed = true
	b.problem(d.line, column, v)
}

// identify returns the vehicle's id: the feed's when it gives one, else one derived from the VIN, else from the stock number, so
// that the next feed means the same vehicle.
func (b *builder) identify(d *draft) string {
	given, stated := d.vehicle["vehicle_id"]
	id, _ := given.(string)
	switch {
	case stated && !vehicleIDPattern.MatchString(id):
		b.fail(d, d.column("vehicle_id"), bad("the vehicle id cannot be used",
			"Use 1 to 64 letters, digits, hyphens and underscores, or leave it out to have one made from the VIN."))
	case stated:
	case d.vehicle.Text("vin") != "":
		id = deriveID(b.settings.Tenant.ID, "vin", d.vehicle.Text("vin"))
	case d.vehicle.Text("stock") != "":
		id = deriveID(b.settings.Tenant.ID, "stock", d.vehicle.Text("stock"))
	case !d.failed: // else the identity is what could not be read
		b.fail(d, "", bad("the row names no vehicle", "Give a VIN or a stock number."))
	}
	d.vehicle["vehicle_id"] = id
	return id
}

func deriveID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "veh_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// complete sets what the feed left out and checks the whole as a listing.
func (b *builder) complete(d *draft) {
	if _, ok := d.vehicle["dealer_id"]; !ok {
		d.vehicle["dealer_id"] = b.settings.Tenant.ID
	}
	if _, ok := d.vehicle["updated_at"]; !ok {
		d.vehicle["updated_at"] = b.settings.Now.UTC().Format(time.RFC3339)
	}
	b.placeAt(d)
	if !b.bound(d) {
		return
	}
	if d.vehicle.Text("condition") == "used" {
		if miles, ok := d.vehicle.Number("mileage"); ok && miles == 0 {
			b.warn(d.line, d.column("mileage"), bad("a used vehicle has a mileage of 0", "Give the odometer reading, or leave it empty."))
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

// placeAt sets the rooftop to the tenant's spelling of the first candidate that is one. The dealership's own name says nothing
// about the place. A dealership with a single rooftop has everything there.
func (b *builder) placeAt(d *draft) {
	var unknown *cell
	for i, c := range d.rooftops {
		name, ok := b.rooftops[foldName(c.text)]
		switch {
		case ok:
			d.vehicle["rooftop"] = name
			return
		case unknown == nil && c.text != "" && foldName(c.text) != foldName(b.settings.Tenant.Name):
			unknown = &d.rooftops[i]
		}
	}
	if unknown != nil {
		b.fail(d, unknown.column, bad("the location is not a rooftop of the dealership",
			"Use the name of a rooftop as in the tenant document: "+rooftopList(b.settings.Tenant)+"."))
		return
	}
	if len(b.settings.Tenant.Rooftops) == 1 {
		d.vehicle["rooftop"] = b.settings.Tenant.Rooftops[0].Name
	}
}

func rooftopNames(t *tenant.Document) map[string]string {
	names := make(map[string]string, len(t.Rooftops))
	for _, r := range t.Rooftops {
		names[foldName(r.Name)] = r.Name
	}
	return names
}

func rooftopList(t *tenant.Document) string {
	names := make([]string, len(t.Rooftops))
	for i, r := range t.Rooftops {
		names[i] = r.Name
	}
	return strings.Join(names, ", ")
}

func foldName(name string) string { return strings.ToLower(strings.TrimSpace(name)) }
