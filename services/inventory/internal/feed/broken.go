package feed

import "strings"

// rejectBroken rejects a row that cannot be split. The values before the break are sound; when they name the vehicle, it is kept.
func (b *builder) rejectBroken(sound []string, r record, t *table, column string, v *badValue) {
	b.feed.Count++
	b.feed.Rejected++
	b.problem(r.line, column, v)
	b.keep(b.identifySound(sound, r, t))
}

// identifySound returns a draft that has a vehicle id only if the values before a break tell it for sure: no column that has a part in
// telling it is behind the break or cannot be read.
func (b *builder) identifySound(sound []string, r record, t *table) *draft {
	d := b.newDraft(r.line)
	for _, part := range []struct {
		field  field
		member string
		parse  parser
	}{{fieldVehicleID, "vehicle_id", parseText}, {fieldVIN, "vin", parseVIN}, {fieldStock, "stock", parseText}} {
		value, ok := firstSound(sound, t.at[part.field], part.parse)
		if !ok {
			return d
		}
		if value != nil {
			d.vehicle[part.member] = value
		}
		if d.vehicle["vehicle_id"] != nil {
			return d
		}
	}
	switch tenant, vin, stock := b.settings.Tenant.ID, d.vehicle.Text("vin"), d.vehicle.Text("stock"); {
	case vin != "":
		d.vehicle["vehicle_id"] = idOfVIN(tenant, vin)
	case stock != "":
		d.vehicle["vehicle_id"] = idOfStock(tenant, stock)
	}
	return d
}

// firstSound reads the first value of some columns that is not absent; ok is false when that cannot be told.
func firstSound(sound []string, columns []int, parse parser) (value any, ok bool) {
	for _, i := range columns {
		if i >= len(sound) {
			return nil, false
		}
		text := strings.TrimSpace(sound[i])
		if isAbsent(text) {
			continue
		}
		value, err := parse(text)
		if value != nil || err != nil {
			return value, err == nil
		}
	}
	return nil, true
}

// untilVIN returns the values up to the VIN of a row that has too many values or too few. Where a value is broken up or lost cannot be
// told, but a VIN in its column was not moved there by chance. A row that may be several has none.
func (t *table) untilVIN(r record) []string {
	columns := t.at[fieldVIN]
	if r.lines > 1 || len(r.values) >= 2*len(t.header)-1 || len(columns) == 0 || columns[0] >= len(r.values) {
		return nil
	}
	if vin, err := parseVIN(strings.TrimSpace(r.values[columns[0]])); err != nil || vin == nil || !hasCheckDigit(vin.(string)) {
		return nil
	}
	return r.values[:columns[0]+1]
}
