package vehicle

import "slices"

// The known members, in the order of canonical JSON.
const (
	dealerID = iota
	vehicleID
	vin
	stock
	rooftop
	vehicleType
	body
	year
	maker // "make" is a word of the language
	model
	trim
	condition
	status
	msrp
	listPrice
	price
	fees
	mileage
	transmission
	driveline
	engine
	displacementCC
	fuel
	cityMPG
	highwayMPG
	electricRangeMi
	batteryKWh
	motorPowerHP
	dcFastCharge
	chargePort
	exteriorColor
	interiorColor
	features
	photos
	vdpURL
	description
	notes
	otherAttributes
	inventoryDate
	updatedAt
	evidence
	numMembers
)

var members = [numMembers]string{
	dealerID: "dealer_id", vehicleID: "vehicle_id", vin: "vin", stock: "stock", rooftop: "rooftop",
	vehicleType: "vehicle_type", body: "body", year: "year", maker: "make", model: "model", trim: "trim",
	condition: "condition", status: "status",
	msrp: "msrp", listPrice: "list_price", price: "price", fees: "fees",
	mileage: "mileage", transmission: "transmission", driveline: "driveline", engine: "engine", displacementCC: "displacement_cc",
	fuel: "fuel", cityMPG: "city_mpg", highwayMPG: "highway_mpg", electricRangeMi: "electric_range_mi", batteryKWh: "battery_kwh",
	motorPowerHP: "motor_power_hp", dcFastCharge: "dc_fast_charge", chargePort: "charge_port",
	exteriorColor: "exterior_color", interiorColor: "interior_color", features: "features", photos: "photos", vdpURL: "vdp_url",
	description: "description", notes: "notes", otherAttributes: "other_attributes",
	inventoryDate: "inventory_date", updatedAt: "updated_at", evidence: "evidence",
}

var known = func() map[string]bool {
	set := make(map[string]bool, numMembers)
	for _, name := range members {
		set[name] = true
	}
	return set
}()

// Known says whether the contract defines a member of this name.
func Known(name string) bool { return known[name] }

// form is what the value of a member of a listing must be. The forms are those of vehicle.schema.json.
type form int

const (
	aText form = iota
	aTextOrNull
	aVIN
	aTexts
	aURI
	aURIs
	anInteger
	aNumber // not negative
	aBoolean
	aDate
	aTime
	aFeeList
	anAttributeSet
	// ours is evidence: it comes from the event, never from a feed.
	ours
)

// rule is what holds for a member of a listing.
type rule struct {
	form
	one []string // the texts that are allowed; nil allows all
	// min and max bound an integer; max 0 is no bound.
	min, max int64
}

var (
	text    = rule{form: aText}
	integer = rule{form: anInteger}
	number  = rule{form: aNumber}
)

// rules are those of contract.Validator.Listing, so that a listing as importers write it is checked without building a tree of it.
var rules = [numMembers]rule{
	dealerID: text, vehicleID: text, vin: {form: aVIN}, stock: text, rooftop: {form: aTextOrNull},
	vehicleType: {one: []string{"car", "motorcycle", "trailer", "rv", "other"}},
	body:        text, year: {form: anInteger, min: 1900, max: 2100}, maker: text, model: text, trim: text,
	condition: {one: []string{"new", "used", "cpo"}}, status: {one: []string{"available", "intransit", "pending"}},
	msrp: integer, listPrice: integer, price: integer, fees: {form: aFeeList},
	mileage: integer, transmission: text, driveline: text, engine: text, displacementCC: integer, fuel: text,
	cityMPG: integer, highwayMPG: integer, electricRangeMi: number, batteryKWh: number, motorPowerHP: number,
	dcFastCharge: {form: aBoolean}, chargePort: {form: aTextOrNull},
	exteriorColor: text, interiorColor: text, features: {form: aTexts}, photos: {form: aURIs}, vdpURL: {form: aURI},
	description: text, notes: text, otherAttributes: {form: anAttributeSet},
	inventoryDate: {form: aDate}, updatedAt: {form: aTime}, evidence: {form: ours},
}

// requiredMembers must be there in a listing.
var requiredMembers = []int{status, updatedAt}

// scan consumes the value of a listing's member if it is surely valid.
func (r *rule) scan(s *scanner) bool {
	switch r.form {
	case aText:
		t, ok := s.string()
		return ok && (r.one == nil || !t.escaped && slices.Contains(r.one, string(s.bytes(t))))
	case aTextOrNull:
		if s.peek() == 'n' {
			return s.word("null")
		}
		_, ok := s.string()
		return ok
	case aVIN:
		t, ok := s.plain()
		return ok && isVIN(t)
	case aTexts:
		return s.list(func() bool { _, ok := s.string(); return ok })
	case aURI:
		return s.uri()
	case aURIs:
		return s.list(s.uri)
	case anInteger:
		return s.integer(r.min, r.max)
	case aNumber:
		t, _, ok := s.number()
		return ok && t[0] != '-'
	case aBoolean:
		return s.word("true") || s.word("false")
	case aDate:
		t, ok := s.plain()
		return ok && isDate(t)
	case aTime:
		t, ok := s.plain()
		return ok && isTime(t)
	case aFeeList:
		return s.fees()
	case anAttributeSet:
		return s.object(func([]byte) bool { return s.attribute() })
	default:
		return false
	}
}
