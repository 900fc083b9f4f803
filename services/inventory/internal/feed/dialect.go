package feed

import "strings"

// field is a fact that a column of a feed can hold.
type field int

// The fields. Several columns may hold one: the first in the dialect's order that has a value counts.
const (
	fieldVehicleID field = iota
	fieldVIN
	fieldStock
	fieldRooftop
	fieldBody
	fieldYear
	fieldMake
	fieldModel
	fieldTrim
	fieldType // new or used, or the kind of vehicle: exports use the name for either
	fieldCertified
	fieldStatus
	fieldInTransit
	fieldSellingPrice
	fieldCurrency // of every price in the row
	fieldMSRP
	fieldMileage
	fieldTransmission
	fieldDriveline
	fieldEngine
	fieldCylinders
	fieldDisplacement
	fieldFuel
	fieldCityMPG
	fieldHighwayMPG
	fieldExteriorColor
	fieldInteriorColor
	fieldPhotos
	fieldVDPURL
	fieldDescription
	fieldFeatures
	fieldInventoryDate
	fieldUpdatedAt
	numFields // is no field: it counts them
)

// dialect is how one family of CSV exports names its columns.
type dialect struct {
	name string
	// headers are the names of a field's columns, best first, in the form of headerKey.
	headers map[field][]string
	// needs are the fields that tell the dialect: at least one of each group has a column.
	needs [][]field
}

// dialects are tried in this order.
var dialects = []*dialect{&provider}

// headerKey is a header without case, spaces, "_", "-" and ".".
func headerKey(header string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '\t', '\u00a0':
			return -1
		}
		return r
	}, header))
}

// columns finds the columns of each field; ok says whether the header row is of this dialect.
func (d *dialect) columns(header []string) (at map[field][]int, ok bool) {
	byKey := make(map[string][]int, len(header))
	for i, h := range header {
		byKey[headerKey(h)] = append(byKey[headerKey(h)], i)
	}
	at = make(map[field][]int)
	for f, keys := range d.headers {
		for _, key := range keys {
			at[f] = append(at[f], byKey[key]...)
		}
	}
	for _, group := range d.needs {
		var found bool
		for _, f := range group {
			found = found || len(at[f]) > 0
		}
		if !found {
			return nil, false
		}
	}
	return at, true
}
