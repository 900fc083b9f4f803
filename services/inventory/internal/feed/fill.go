package feed

import (
	"encoding/json"
	"unicode/utf8"
)

// parser reads a value of a feed. Without an error, nil says that the value is absent.
type parser func(text string) (any, *badValue)

// simpleFields become one member each, by themselves.
var simpleFields = []struct {
	field  field
	member string
	parse  parser
}{
	{fieldBody, "body", parseText},
	{fieldYear, "year", parseWhole},
	{fieldMake, "make", parseText},
	{fieldModel, "model", parseText},
	{fieldTrim, "trim", parseText},
	{fieldMSRP, "msrp", parseMoney},
	{fieldMileage, "mileage", parseMiles},
	{fieldTransmission, "transmission", parseText},
	{fieldDriveline, "driveline", parseText},
	{fieldFuel, "fuel", parseText},
	{fieldCityMPG, "city_mpg", parseWhole},
	{fieldHighwayMPG, "highway_mpg", parseWhole},
	{fieldExteriorColor, "exterior_color", parseText},
	{fieldInteriorColor, "interior_color", parseText},
	{fieldPhotos, "photos", parsePhotos},
	{fieldVDPURL, "vdp_url", parseURL},
	{fieldDescription, "description", parseDescription},
	{fieldFeatures, "features", parseFeatures},
	{fieldInventoryDate, "inventory_date", parseDate},
	{fieldUpdatedAt, "updated_at", parseInstant},
}

// fill reads the values of a row into the draft. Of a vehicle that is not for sale only its identity matters: whatever else is
// wrong must not keep it listed.
func (b *builder) fill(d *draft, row *cells) {
	b.set(d, "vehicle_id", row[fieldVehicleID], parseText)
	b.setIdentity(d, "vin", row[fieldVIN], parseVIN)
	b.setIdentity(d, "stock", row[fieldStock], parseText)
	if b.fillStatus(d, row); d.gone {
		return
	}
	for _, f := range simpleFields {
		b.set(d, f.member, row[f.field], f.parse)
	}
	b.set(d, b.priceMember(), row[fieldSellingPrice], parseMoney)
	b.checkCurrency(d, row[fieldCurrency])
	b.fillCondition(d, row)
	b.fillEngine(d, row)
	d.rooftops = row[fieldRooftop]
}

// set gives a member the first value among the candidates that is not absent.
func (b *builder) set(d *draft, member string, candidates []cell, parse parser) {
	for _, c := range candidates {
		if !utf8.ValidString(c.text) {
			b.fail(d, c.column, bad("the text is not UTF-8", "Save the file as UTF-8."))
			return
		}
		value, err := parse(c.text)
		if err != nil {
			b.fail(d, c.column, err)
			return
		}
		if value != nil {
			d.vehicle[member], d.columns[member] = value, c.column
			return
		}
	}
}

// setIdentity is set for what tells which vehicle is meant, and warns of columns that disagree. Columns of another field may well
// hold different facts, of which the best counts.
func (b *builder) setIdentity(d *draft, member string, candidates []cell, parse parser) {
	b.set(d, member, candidates, parse)
	counts, ok := d.vehicle[member]
	for _, c := range candidates {
		if value, err := parse(c.text); ok && err == nil && value != nil && value != counts {
			b.warn(d.line, c.column, bad("the column "+d.columns[member]+" has another value, which counts", "Export one of the columns."))
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
func (b *builder) checkCurrency(d *draft, stated []cell) {
	for _, c := range stated {
		if !isDollars(c.text) {
			b.fail(d, c.column, notDollars)
			return
		}
	}
}

// fillEngine takes the engine in words, or makes it of displacement and cylinders, and the displacement as a number.
func (b *builder) fillEngine(d *draft, row *cells) {
	b.set(d, "engine", row[fieldEngine], parseText)
	b.set(d, "displacement_cc", row[fieldDisplacement], parseDisplacement)
	if d.vehicle.Text("engine") != "" {
		return
	}
	words := ""
	if cc, ok := d.vehicle["displacement_cc"].(json.Number); ok {
		words = litres(cc)
	}
	for _, c := range row[fieldCylinders] {
		cylinders, err := parseCylinders(c.text)
		if err != nil {
			b.fail(d, c.column, err)
			return
		}
		if cylinders != "" {
			if words != "" {
				words += " "
			}
			words += cylinders
			break
		}
	}
	if words != "" {
		d.vehicle["engine"] = words
	}
}
