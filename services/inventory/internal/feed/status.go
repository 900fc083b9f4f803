package feed

import "forecourt.internal/platform/tenant"

// wordKey is what words of feeds are compared by: as headers are.
func wordKey(text string) string { return tenant.HeaderKey(text) }

// statuses are the words of feeds for a vehicle on sale, in the form of wordKey. A vehicle in any other state is not listed.
var statuses = map[string]string{
	"available": "available", "instock": "available", "active": "available", "forsale": "available", "onlot": "available",
	"instore": "available", "live": "available", "onground": "available",
	"intransit": "intransit", "transit": "intransit", "inbound": "intransit", "enroute": "intransit", "onorder": "intransit",
	"pending": "pending", "salepending": "pending", "dealpending": "pending", "onhold": "pending", "hold": "pending",
	"reserved": "pending",
}

// goneStatuses are the words of feeds for vehicles that are not for sale, in the form of wordKey.
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
func (b *builder) fillStatus(d *draft, r row) {
	d.vehicle["status"] = "available"
	stated, isStated := r.first(fieldStatus)
	if isStated {
		b.setStatus(d, stated)
	}
	if moving, ok := r.first(fieldInTransit); ok && d.vehicle["status"] == "available" && !d.gone {
		yes, err := parseYes(moving.text)
		if err != nil {
			b.fail(d, moving.column, err)
			return
		}
		if yes {
			d.vehicle["status"] = "intransit"
			return
		}
	}
	if !isStated && r.has(fieldStatus) {
		b.fail(d, r.header[r.at[fieldStatus][0]], noStatus)
	}
}

// setStatus sets the status that a word stands for, or that the vehicle is not for sale.
func (b *builder) setStatus(d *draft, c cell) {
	key := wordKey(c.text)
	if status, ok := statuses[key]; ok {
		d.vehicle["status"] = status
		return
	}
	d.gone = true
	if !goneStatuses[key] {
		b.warn(d.line, c.column, unknownStatus)
	}
}
