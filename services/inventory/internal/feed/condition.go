package feed

// conditions are the words of feeds for the condition of sale, in the form of wordKey.
var conditions = map[string]string{
	"new": "new", "n": "new", "brandnew": "new",
	"used": "used", "u": "used", "preowned": "used", "p": "used",
	"cpo": "cpo", "c": "cpo", "certified": "cpo", "certifiedpreowned": "cpo", "certifiedused": "cpo", "usedcertified": "cpo",
	"preownedcertified": "cpo",
}

// vehicleTypes are the words of feeds for the kind of vehicle, in the form of wordKey.
var vehicleTypes = map[string]string{
	"car": "car", "cars": "car", "auto": "car", "automobile": "car", "passenger": "car", "passengercar": "car", "cartruck": "car",
	"truck": "car", "suv": "car", "van": "car", "sedan": "car", "lighttruck": "car",
	"motorcycle": "motorcycle", "bike": "motorcycle", "trailer": "trailer", "rv": "rv", "motorhome": "rv", "other": "other",
}

var (
	notCondition   = bad("the value is no condition of sale", "Use New, Used or CPO.")
	notVehicleType = bad("the value is no kind of vehicle", "Use Car, Motorcycle, Trailer, RV or Other.")
	notType        = bad("the value is no condition and no kind of vehicle", "Use New, Used or CPO.")
)

// fillCondition reads the condition of sale, the kind of vehicle, the columns that hold either, and whether a used vehicle is certified.
func (b *builder) fillCondition(d *draft, r row) {
	b.set(d, "condition", r, fieldCondition, wordParser(conditions, notCondition))
	b.set(d, "vehicle_type", r, fieldVehicleType, wordParser(vehicleTypes, notVehicleType))
	for c := range r.cells(fieldType) {
		key := wordKey(c.text)
		condition, isCondition := conditions[key]
		kind, isKind := vehicleTypes[key]
		switch {
		case isCondition:
			d.putIfAbsent("condition", condition, c.column)
		case isKind:
			d.putIfAbsent("vehicle_type", kind, c.column)
		default:
			b.fail(d, c.column, notType)
		}
	}
	for c := range r.cells(fieldBodyType) {
		if kind, ok := vehicleTypes[wordKey(c.text)]; ok {
			d.putIfAbsent("vehicle_type", kind, c.column)
		}
		if !isKindOnly(c.text) && d.vehicle["body"] == nil {
			b.take(d, "body", c, parseEnum)
		}
	}
	b.fillCertified(d, r)
}

func wordParser(words map[string]string, none *badValue) parser {
	return func(text string) (any, *badValue) {
		if word, ok := words[wordKey(text)]; ok {
			return word, nil
		}
		return nil, none
	}
}

// isKindOnly says whether a word is a kind of vehicle that says nothing of the body.
func isKindOnly(text string) bool {
	switch key := wordKey(text); key {
	case "suv", "van", "sedan", "truck":
		return false
	default:
		return vehicleTypes[key] != "" || conditions[key] != ""
	}
}

// fillCertified makes a used vehicle a certified one where the row says so.
func (b *builder) fillCertified(d *draft, r row) {
	for c := range r.cells(fieldCertified) {
		yes, err := parseYes(c.text)
		if err != nil {
			b.fail(d, c.column, err)
			return
		}
		if yes && d.vehicle["condition"] != "new" {
			d.put("condition", "cpo", c.column)
		}
	}
}
