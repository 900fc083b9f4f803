package feed

import (
	"fmt"
	"regexp"

	"forecourt.internal/platform/tenant"
)

// field is a fact that a column of a feed can hold.
type field int

// The fields. Several columns may hold one: the first in the dialect's order that has a value counts.
const (
	fieldVehicleID field = iota
	fieldDealerID
	fieldVIN
	fieldStock
	fieldRooftop
	fieldRooftopCode // which names a rooftop in other systems, and here only when it is the name too
	fieldBody
	fieldYear
	fieldMake
	fieldModel
	fieldTrim
	fieldCondition
	fieldVehicleType
	fieldType     // the condition or the kind of vehicle: exports use the name for either
	fieldBodyType // the kind of vehicle or its body
	fieldCertified
	fieldStatus
	fieldInTransit
	fieldSellingPrice
	fieldPrice // the contract's: with every mandatory charge inside
	fieldListPrice
	fieldFees
	fieldCurrency // of every price in the row
	fieldMSRP
	fieldMileage
	fieldMileageUnit
	fieldTransmission
	fieldDriveline
	fieldEngine
	fieldCylinders
	fieldDisplacement
	fieldFuel
	fieldCityMPG
	fieldHighwayMPG
	fieldElectricRange
	fieldBattery
	fieldPower
	fieldFastCharge
	fieldChargePort
	fieldExteriorColor
	fieldInteriorColor
	fieldPhotos
	fieldVDPURL
	fieldDescription
	fieldNotes
	fieldFeatures
	fieldInventoryDate
	fieldUpdatedAt
	numFields
)

// dialect is how one family of exports names its columns.
type dialect struct {
	name string
	// headers are the names of a field's columns, best first, in the form of columnKey.
	headers map[field][]string
	// needs are what a row cannot do without: at least one field of each group has a column.
	needs []need
	// marks are headers that only this dialect has, in the form of columnKey or tenant.HeaderKey.
	marks []string
	// silent are headers that are known to hold nothing a listing has, in the form of columnKey; no warning names them.
	silent []string
	// joins says that a list, such as photos, goes on over all columns of its field.
	joins bool
	// enums says that bodies, fuels, transmissions and drivelines are names of constants, such as FOUR_DOOR.
	enums bool
	// exact, when set, must hold of the headers as they are written.
	exact func(header []string) bool
}

// need is a group of fields and how its headers are called in errors.
type need struct {
	fields []field
	named  string
}

// Names of dialects, as in a tenant document.
const (
	dialectProvider = "provider-csv"
	dialectGoogle   = "google-vehicle-listings"
	dialectMeta     = "meta-automotive"
	dialectAAP      = "aap-json" // a JSON array or JSON Lines
	// dialectAAPColumns is dialectAAP with the members' names as headers. Whoever forces dialectAAP means it too.
	dialectAAPColumns = "aap-csv"
	// dialectMapping is a header row that only the tenant's mapping makes readable.
	dialectMapping = "mapping"
)

// dialects are compared in this order.
var dialects = []*dialect{&aapColumns, &provider, &google, &meta}

// dialectNamed returns the dialect of CSV files that a name forces.
func dialectNamed(name string) (*dialect, error) {
	if name == dialectAAP {
		name = dialectAAPColumns
	}
	for _, d := range dialects {
		if d.name == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("the dialect %q is not known; use %s, %s, %s or %s", name, dialectProvider, dialectGoogle, dialectMeta, dialectAAP)
}

var indices = regexp.MustCompile(`\[\d+\]`)

// columnKey is what a header is compared by: tenant.HeaderKey without indices such as [0].
func columnKey(header string) string { return tenant.HeaderKey(indices.ReplaceAllString(header, "")) }

// recognise returns the dialect of a header row whose fields have columns at the given places, besides those that its headers tell;
// nil when it is none.
//
// The names of the contract's own members are a dialect only when every header is one. Of the others the one with most marks counts,
// then the one that reads most columns, then the first in the list.
func recognise(header []string, mapped *mapped) *dialect {
	var best *dialect
	var most [2]int
	for _, d := range dialects {
		at := d.columns(header)
		mapped.override(at)
		if d.missing(at) != "" || d.exact != nil && !d.exact(header) {
			continue
		}
		if d.exact != nil {
			return d
		}
		score := [2]int{d.countMarks(header), len(at.used())}
		if best == nil || score[0] > most[0] || score[0] == most[0] && score[1] > most[1] {
			best, most = d, score
		}
	}
	return best
}

// columns are the places of each field's columns, best first.
type columns [numFields][]int

// columns finds the columns of each field.
func (d *dialect) columns(header []string) *columns {
	byKey := make(map[string][]int, len(header))
	for i, h := range header {
		key := columnKey(h)
		byKey[key] = append(byKey[key], i)
	}
	at := new(columns)
	for f, keys := range d.headers {
		for _, key := range keys {
			at[f] = append(at[f], byKey[key]...)
		}
	}
	return at
}

func (c *columns) used() map[int]bool {
	used := make(map[int]bool)
	for _, places := range c {
		for _, i := range places {
			used[i] = true
		}
	}
	return used
}

// missing names the first group of headers that is needed and not there; "" when none is missing.
func (d *dialect) missing(at *columns) string {
	for _, n := range d.needs {
		var found bool
		for _, f := range n.fields {
			found = found || len(at[f]) > 0
		}
		if !found {
			return n.named
		}
	}
	return ""
}

func (d *dialect) countMarks(header []string) (n int) {
	keys := make(map[string]bool, len(header))
	for _, h := range header {
		keys[columnKey(h)], keys[tenant.HeaderKey(h)] = true, true
	}
	for _, mark := range d.marks {
		if keys[mark] {
			n++
		}
	}
	return n
}

// noDialect explains a header row that cannot be read.
func noDialect() error {
	return fmt.Errorf("the columns are of no known dialect: a CSV feed has a header row with %s, and %s, separated by commas, semicolons, tabs "+
		"or vertical bars; other headers need a mapping in the tenant document", provider.needs[0].named, provider.needs[1].named)
}
