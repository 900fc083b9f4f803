package feed

// statuses are the words of feeds for a vehicle on sale, in the form of headerKey. A vehicle in any other state is not listed.
var statuses = map[string]string{
	"available": "available", "instock": "available", "active": "available", "forsale": "available", "onlot": "available",
	"instore": "available", "live": "available",
	"intransit": "intransit", "transit": "intransit", "inbound": "intransit", "enroute": "intransit", "onorder": "intransit",
	"pending": "pending", "salepending": "pending", "dealpending": "pending", "onhold": "pending", "hold": "pending",
	"reserved": "pending",
}

// goneStatuses are the words of feeds for vehicles that are not for sale, in the form of headerKey.
var goneStatuses = map[string]bool{
	"sold": true, "delivered": true, "inactive": true, "removed": true, "deleted": true, "wholesale": true,
	"wholesaled": true, "unavailable": true, "notavailable": true, "outofstock": true, "expired": true,
}

// unknownStatus explains why a vehicle is delisted that may be for sale: listing one that is not would be worse.
var unknownStatus = bad("the status is unknown, so the vehicle is not listed",
	"Use Available, In Transit or Pending for vehicles on sale, and Sold for others.")

// noStatus explains why a row that leaves the status open is refused: to guess could put a sold vehicle on sale or take one
// off, so the vehicle stays as it was.
var noStatus = bad("the row does not say whether the vehicle is for sale",
	"Write Available, In Transit, Pending or Sold, or leave out the column when every row is in stock.")

// fillStatus decides whether the vehicle is on sale. A feed without a status column holds what is in stock; one that has the
// column must fill it, or say that the vehicle is in transit.
func (b *builder) fillStatus(d *draft, row *cells) {
	d.vehicle["status"] = "available"
	stated := row[fieldStatus]
	if len(stated) > 0 {
		b.setStatus(d, stated[0])
	}
	if moving := row[fieldInTransit]; len(moving) > 0 && d.vehicle.Text("status") == "available" && !d.gone {
		yes, err := parseYes(moving[0].text)
		if err != nil {
			b.fail(d, moving[0].column, err)
			return
		}
		if yes {
			d.vehicle["status"] = "intransit"
			return
		}
	}
	if len(stated) == 0 && d.statusColumn != "" {
		b.fail(d, d.statusColumn, noStatus)
	}
}

// setStatus sets the status that a word stands for, or that the vehicle is not for sale.
func (b *builder) setStatus(d *draft, c cell) {
	key := headerKey(c.text)
	if status, ok := statuses[key]; ok {
		d.vehicle["status"] = status
		return
	}
	d.gone = true
	if !goneStatuses[key] {
		b.warn(d.line, c.column, unknownStatus)
	}
}

// conditions are the words of feeds for the condition of sale, in the form of headerKey.
var conditions = map[string]string{
	"new": "new", "n": "new", "brandnew": "new",
	"used": "used", "u": "used", "preowned": "used", "p": "used",
	"cpo": "cpo", "c": "cpo", "certified": "cpo", "certifiedpreowned": "cpo", "certifiedused": "cpo", "usedcertified": "cpo",
}

// vehicleTypes are the words of feeds for the kind of vehicle, in the form of headerKey.
var vehicleTypes = map[string]string{
	"car": "car", "cars": "car", "auto": "car", "automobile": "car", "passenger": "car", "passengercar": "car", "truck": "car",
	"suv": "car", "van": "car", "sedan": "car", "lighttruck": "car",
	"motorcycle": "motorcycle", "bike": "motorcycle", "trailer": "trailer", "rv": "rv", "motorhome": "rv", "other": "other",
}

// fillCondition reads every type column, each of which may hold the condition or the kind of vehicle, and whether a used vehicle is
// certified.
func (b *builder) fillCondition(d *draft, row *cells) {
	for _, c := range row[fieldType] {
		key := headerKey(c.text)
		condition, isCondition := conditions[key]
		kind, isKind := vehicleTypes[key]
		switch {
		case isCondition && d.vehicle["condition"] == nil:
			d.vehicle["condition"], d.columns["condition"] = condition, c.column
		case isKind && d.vehicle["vehicle_type"] == nil:
			d.vehicle["vehicle_type"], d.columns["vehicle_type"] = kind, c.column
		case !isCondition && !isKind:
			b.fail(d, c.column, bad("the value is no condition and no kind of vehicle", "Use New, Used or CPO."))
		}
	}
	for _, c := range row[fieldCertified] {
		yes, err := parseYes(c.text)
		if err != nil {
			b.fail(d, c.column, err)
			return
		}
		if yes && d.vehicle.Text("condition") != "new" {
			d.vehicle["condition"], d.columns["condition"] = "cpo", c.column
		}
	}
}
