package feed

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// parser reads a value of a feed. Without an error, nil says that the value is absent.
type parser func(text string) (any, *badValue)

// fill reads the values of a row into the draft. Of a vehicle that is not for sale only what tells which one it is matters: whatever
// else is wrong must not keep it listed.
func (b *builder) fill(d *draft, r row) {
	b.set(d, "vehicle_id", r, fieldVehicleID, parseText)
	b.setIdentity(d, "vin", r, fieldVIN, parseVIN)
	d.unreadable = d.failed
	b.setIdentity(d, "stock", r, fieldStock, parseText)
	d.rooftops = placesOf(r)
	if b.fillStatus(d, r); d.gone {
		return
	}
	for _, f := range r.readers {
		if r.joined[f.field] {
			b.join(d, f, r)
			continue
		}
		b.set(d, f.member, r, f.field, f.parse)
	}
	b.set(d, b.priceMember(), r, fieldSellingPrice, parseMoney)
	b.checkCurrency(d, r)
	b.fillMileage(d, r)
	b.fillCondition(d, r)
	b.fillEngine(d, r)
}

// set gives a member the first value of a field that is not absent.
func (b *builder) set(d *draft, member string, r row, f field, parse parser) {
	for _, i := range r.at[f] {
		text := strings.TrimSpace(r.values[i])
		if !isAbsent(text) && b.take(d, member, cell{r.header[i], text}, parse) {
			return
		}
	}
}

// take gives a member a value; done is false when the value is absent after all.
func (b *builder) take(d *draft, member string, c cell, parse parser) (done bool) {
	value, ok := b.parse(d, c, parse)
	if ok && value != nil {
		d.put(member, value, c.column)
	}
	return !ok || value != nil
}

func (b *builder) parse(d *draft, c cell, parse parser) (value any, ok bool) {
	if !utf8.ValidString(c.text) {
		b.fail(d, c.column, bad("the text is not UTF-8", "Save the file as UTF-8."))
		return nil, false
	}
	value, err := parse(c.text)
	if err != nil {
		b.fail(d, c.column, err)
		return nil, false
	}
	return value, true
}

// join makes a list of the values of all columns of a field.
func (b *builder) join(d *draft, f reader, r row) {
	var all []any
	column := ""
	for c := range r.cells(f.field) {
		value, ok := b.parse(d, c, f.parse)
		if !ok {
			return
		}
		list, _ := value.([]any)
		for _, item := range list {
			if text, _ := item.(string); !contains(all, text) {
				all = append(all, item)
			}
		}
		column = cmp.Or(column, c.column)
	}
	if len(all) > 0 {
		d.put(f.member, all, column)
	}
}

// setIdentity is set for what tells which vehicle is meant, and warns of columns that disagree. Columns of another field may well
// hold different facts, of which the best counts.
func (b *builder) setIdentity(d *draft, member string, r row, f field, parse parser) {
	b.set(d, member, r, f, parse)
	if len(r.at[f]) < 2 {
		return
	}
	counts, ok := d.vehicle[member]
	for c := range r.cells(f) {
		if value, err := parse(c.text); ok && err == nil && value != nil && value != counts {
			b.warn(d.line, c.column, bad("the column "+d.column(member)+" has another value, which counts", "Export one of the columns."))
		}
	}
}

// priceMember is what a selling price means: only a feed whose prices hold every mandatory charge states the advertised price.
func (b *builder) priceMember() string {
	if b.settings.Tenant.Feed.PriceIncludesFees {
		return "price"
	}
	return "list_price"
}

// checkCurrency refuses a row whose prices would be taken for dollars and are not.
func (b *builder) checkCurrency(d *draft, r row) {
	for c := range r.cells(fieldCurrency) {
		if !isDollars(c.text) {
			b.fail(d, c.column, notDollars)
			return
		}
	}
}

// fillMileage reads the mileage in the unit that it states, else in that of the row's column of units, else in that of the feed.
func (b *builder) fillMileage(d *draft, r row) {
	in := r.unit
	if c, ok := r.first(fieldMileageUnit); ok {
		if in, ok = parseUnit(c.text); !ok {
			b.fail(d, c.column, unknownUnit)
			return
		}
	}
	b.set(d, "mileage", r, fieldMileage, func(text string) (any, *badValue) { return parseMileage(text, in) })
}

// fillEngine takes the engine in words, or makes it of displacement and cylinders, and the displacement as a number.
func (b *builder) fillEngine(d *draft, r row) {
	b.set(d, "engine", r, fieldEngine, parseText)
	b.set(d, "displacement_cc", r, fieldDisplacement, parseDisplacement)
	if !r.has(fieldDisplacement) && !r.has(fieldCylinders) || d.vehicle["engine"] != nil {
		return
	}
	words := ""
	if cc, ok := d.vehicle["displacement_cc"].(json.Number); ok {
		words = litres(cc)
	}
	if c, ok := r.first(fieldCylinders); ok {
		switch cylinders := parseCylinders(c.text); {
		case words == "":
			words = cylinders
		case cylinders != "":
			words += " " + cylinders
		}
	}
	if words != "" {
		d.vehicle["engine"] = words
	}
}
