package feed

import (
	"maps"
	"slices"
	"time"

	"forecourt.internal/platform/tenant"
)

// mappedFields are the fields that a tenant's mapping can name, by their names there, and the other fields of dialects that say the same
// and are not read when the mapping names one.
var mappedFields = map[string]struct {
	field   field
	instead []field
}{
	"vehicle_id": {fieldVehicleID, nil}, "vin": {fieldVIN, nil}, "stock": {fieldStock, nil},
	"rooftop":      {fieldRooftop, []field{fieldRooftopCode}},
	"vehicle_type": {fieldVehicleType, nil},
	"body":         {fieldBody, []field{fieldBodyType}},
	"year":         {fieldYear, nil}, "make": {fieldMake, nil}, "model": {fieldModel, nil}, "trim": {fieldTrim, nil},
	"condition": {fieldCondition, []field{fieldType}},
	"certified": {fieldCertified, nil}, "status": {fieldStatus, nil}, "in_transit": {fieldInTransit, nil},
	"price":      {fieldSellingPrice, []field{fieldPrice}},
	"list_price": {fieldListPrice, nil}, "msrp": {fieldMSRP, nil}, "currency": {fieldCurrency, nil},
	"mileage": {fieldMileage, nil}, "mileage_unit": {fieldMileageUnit, nil},
	"transmission": {fieldTransmission, nil}, "driveline": {fieldDriveline, nil},
	"engine": {fieldEngine, nil}, "cylinders": {fieldCylinders, nil}, "displacement": {fieldDisplacement, nil}, "fuel": {fieldFuel, nil},
	"city_mpg": {fieldCityMPG, nil}, "highway_mpg": {fieldHighwayMPG, nil},
	"exterior_color": {fieldExteriorColor, nil}, "interior_color": {fieldInteriorColor, nil},
	"photos": {fieldPhotos, nil}, "vdp_url": {fieldVDPURL, nil}, "description": {fieldDescription, nil}, "features": {fieldFeatures, nil},
	"inventory_date": {fieldInventoryDate, nil}, "updated_at": {fieldUpdatedAt, nil},
}

// mapped is what a tenant's mapping says of a header row.
type mapped struct {
	named []field  // in the mapping, also when the file has no such column
	lost  []string // names of fields of whose headers the file has none
	at    columns
}

func mappedColumns(header []string, mapping map[string]tenant.HeaderNames) *mapped {
	m := new(mapped)
	for _, name := range slices.Sorted(maps.Keys(mapping)) {
		target, ok := mappedFields[name]
		if !ok {
			continue // the schema of tenants refuses it
		}
		m.named = append(append(m.named, target.field), target.instead...)
		for _, wanted := range mapping[name] {
			key := tenant.HeaderKey(wanted)
			for i, h := range header {
				if tenant.HeaderKey(h) == key {
					m.at[target.field] = append(m.at[target.field], i)
				}
			}
		}
		if len(m.at[target.field]) == 0 {
			m.lost = append(m.lost, name)
		}
	}
	return m
}

// identifies says whether the mapping names a column that tells which vehicle a row is about.
func (m *mapped) identifies() bool {
	return len(m.at[fieldVehicleID])+len(m.at[fieldVIN])+len(m.at[fieldStock]) > 0
}

// override puts the mapping above a dialect's columns: a field that it names has the columns that it says and no others, and a column
// that it says holds nothing else.
func (m *mapped) override(at *columns) {
	taken := m.at.used()
	for f := range at {
		at[f] = slices.DeleteFunc(at[f], func(i int) bool { return taken[i] })
	}
	for _, f := range m.named {
		at[f] = m.at[f]
	}
}

// zoneOf returns the zone that all rooftops of a tenant state; nil when there is none.
func zoneOf(t *tenant.Document) *time.Location {
	var zone *time.Location
	for _, r := range t.Rooftops {
		at, err := time.LoadLocation(r.Timezone)
		if r.Timezone == "" || err != nil || zone != nil && zone.String() != at.String() {
			return nil
		}
		zone = at
	}
	return zone
}
