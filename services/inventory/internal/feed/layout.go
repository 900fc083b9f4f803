package feed

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// layout is what the columns of a file hold.
type layout struct {
	dialect string // its name
	header  []string
	at      *columns
	readers []reader // of the simple fields that have a column
	// joined says that a list goes on over all columns of its field, by field.
	joined [numFields]bool
	silent map[int]bool // columns that no warning names
	// lost are the fields of the mapping that have no column in the file, by their names there.
	lost []string
	// priceHeaders are what the selling price may be called, for a warning; nil for a dialect that needs none.
	priceHeaders []string
	unit         unit           // of a mileage that states none
	zone         *time.Location // of times without an offset; nil when it is not known
}

// reader makes a member of a field's first value.
type reader struct {
	field  field
	member string
	parse  parser
}

// newLayout finds out what the columns of a header row hold: by the dialect that the settings or the tenant force, else by the one that
// is recognised, and above that by the tenant's mapping.
func newLayout(header []string, s Settings) (*layout, error) {
	mapped := mappedColumns(header, s.Tenant.Feed.Mapping)
	known, err := chooseDialect(header, mapped, s)
	if err != nil {
		return nil, err
	}
	l := &layout{dialect: dialectMapping, header: header, at: new(columns), silent: make(map[int]bool), zone: zoneOf(s.Tenant)}
	if l.unit = miles; s.Tenant.Feed.MileageUnit == string(kilometres) {
		l.unit = kilometres
	}
	if known != nil {
		l.dialect, l.at = known.name, known.columns(header)
		for i, h := range header {
			l.silent[i] = slices.Contains(known.silent, columnKey(h))
		}
		for _, f := range []field{fieldPhotos, fieldFeatures} {
			l.joined[f] = known.joins
		}
		l.priceHeaders = known.headers[fieldSellingPrice]
	}
	mapped.override(l.at)
	l.lost = mapped.lost
	for _, f := range mapped.named {
		l.joined[f] = f == fieldPhotos || f == fieldFeatures
		if f == fieldSellingPrice {
			l.priceHeaders = nil
		}
	}
	l.compile(known)
	return l, nil
}

// chooseDialect returns nil when only the mapping makes the header row readable.
func chooseDialect(header []string, mapped *mapped, s Settings) (*dialect, error) {
	name := s.Dialect
	if name == "" {
		name = s.Tenant.Feed.Dialect
	}
	if name == "" {
		if d := recognise(header, mapped); d != nil || mapped.identifies() {
			return d, nil
		}
		return nil, noDialect()
	}
	d, err := dialectNamed(name)
	if err != nil {
		return nil, err
	}
	at := d.columns(header)
	mapped.override(at)
	if missing := d.missing(at); missing != "" && !mapped.identifies() {
		return nil, fmt.Errorf("the header row has no column %s, which the dialect %s needs; choose another dialect, or none to have it recognised",
			missing, name)
	}
	return d, nil
}

// simple are the fields that become one member each, by themselves.
var simple = []reader{
	{fieldDealerID, "dealer_id", parseText},
	{fieldBody, "body", parseText},
	{fieldYear, "year", parseYear},
	{fieldMake, "make", parseText},
	{fieldModel, "model", parseText},
	{fieldTrim, "trim", parseText},
	{fieldMSRP, "msrp", parseMoney},
	{fieldListPrice, "list_price", parseMoney},
	{fieldPrice, "price", parseMoney},
	{fieldFees, "fees", parseFees},
	{fieldTransmission, "transmission", parseText},
	{fieldDriveline, "driveline", parseText},
	{fieldFuel, "fuel", parseText},
	{fieldCityMPG, "city_mpg", parseWhole},
	{fieldHighwayMPG, "highway_mpg", parseWhole},
	{fieldElectricRange, "electric_range_mi", parseWhole},
	{fieldBattery, "battery_kwh", parseDecimal},
	{fieldPower, "motor_power_hp", parseWhole},
	{fieldFastCharge, "dc_fast_charge", parseBool},
	{fieldChargePort, "charge_port", parseText},
	{fieldExteriorColor, "exterior_color", parseText},
	{fieldInteriorColor, "interior_color", parseText},
	{fieldPhotos, "photos", parsePhotos},
	{fieldVDPURL, "vdp_url", parseURL},
	{fieldDescription, "description", parseDescription},
	{fieldNotes, "notes", parseDescription},
	{fieldFeatures, "features", parseFeatures},
	{fieldInventoryDate, "inventory_date", parseDate},
}

// compile prepares the reading of rows.
func (l *layout) compile(known *dialect) {
	for _, r := range simple {
		if len(l.at[r.field]) == 0 {
			continue
		}
		switch r.field {
		case fieldBody, fieldFuel, fieldTransmission, fieldDriveline:
			if known != nil && known.enums {
				r.parse = parseEnum
			}
		}
		l.readers = append(l.readers, r)
	}
	if len(l.at[fieldUpdatedAt]) > 0 {
		l.readers = append(l.readers, reader{fieldUpdatedAt, "updated_at", func(text string) (any, *badValue) {
			return parseInstant(text, l.zone)
		}})
	}
}

// isJoined says whether a column is one of several that make a list.
func (l *layout) isJoined(column int) bool {
	for f, joined := range l.joined {
		if joined && slices.Contains(l.at[f], column) {
			return true
		}
	}
	return false
}

// size is the number of fields that have a column.
func (l *layout) size() (n int) {
	for f := range numFields {
		if l.has(f) {
			n++
		}
	}
	return n
}

// has says whether a field has a column.
func (l *layout) has(f field) bool { return len(l.at[f]) > 0 }

// row is the values of one record, one for each header.
type row struct {
	*layout
	values []string
}

// cell is one value with the header that it stands under.
type cell struct{ column, text string }

// cells yields the values of a field, best column first, without those that are absent.
func (r row) cells(f field) func(yield func(cell) bool) {
	return func(yield func(cell) bool) {
		for _, i := range r.at[f] {
			if text := strings.TrimSpace(r.values[i]); !isAbsent(text) && !yield(cell{r.header[i], text}) {
				return
			}
		}
	}
}

// first returns the best value of a field; ok is false when it has none.
func (r row) first(f field) (c cell, ok bool) {
	for c := range r.cells(f) {
		return c, true
	}
	return cell{}, false
}
