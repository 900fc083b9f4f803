package feed

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// identify returns the vehicle's id: the feed's when it gives one, else one derived from the VIN, else from the stock number, so
// that the next feed means the same vehicle. Neither a new stock number nor another rooftop makes another vehicle of one with a VIN.
func (b *builder) identify(d *draft) string {
	given, stated := d.vehicle["vehicle_id"]
	id, _ := given.(string)
	tenant, vin, stock := b.settings.Tenant.ID, d.vehicle.Text("vin"), d.vehicle.Text("stock")
	switch {
	case stated && !isVehicleID(id):
		b.fail(d, d.column("vehicle_id"), bad("the vehicle id cannot be used",
			"Use 1 to 64 letters, digits, hyphens and underscores, or leave it out to have one made from the VIN."))
	case stated, d.unreadable: // other names than the VIN are not those that the vehicle was listed by
	case vin != "":
		id = idOfVIN(tenant, vin)
	case stock != "":
		id = idOfStock(tenant, stock)
	case !d.failed: // else the identity is what could not be read
		b.fail(d, "", bad("the row names no vehicle", "Give a VIN or a stock number."))
	}
	d.vehicle["vehicle_id"] = id
	return id
}

// isVehicleID says whether an id is safe as a token of a NATS subject and short enough for any system.
func isVehicleID(id string) bool {
	for i := range len(id) {
		if c := id[i]; !isDigit(c) && (c|0x20)-'a' > 'z'-'a' && c != '-' && c != '_' {
			return false
		}
	}
	return id != "" && len(id) <= 64
}

func idOfVIN(tenant, vin string) string { return deriveID(tenant, "vin", vin) }

func idOfStock(tenant, stock string) string { return deriveID(tenant, "stock", stock) }

// idOfTwin is the id of a vehicle whose VIN another one has too.
func idOfTwin(tenant, vin, stock string) string { return deriveID(tenant, "vin", vin, "stock", stock) }

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567")

// deriveID makes an id of fixed length.
func deriveID(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return "veh_" + lowerBase32.EncodeToString(sum[:10])
}

// keep remembers which vehicle a rejected row is about. One whose id or VIN is there and cannot be read may be any.
func (b *builder) keep(d *draft) {
	tenant, id, vin, stock := b.settings.Tenant.ID, d.vehicle.Text("vehicle_id"), d.vehicle.Text("vin"), d.vehicle.Text("stock")
	switch {
	case !isVehicleID(id):
		b.feed.Unnamed++
		return
	case vin != "" && stock != "" && id == idOfVIN(tenant, vin):
		b.feed.Kept = append(b.feed.Kept, idOfTwin(tenant, vin, stock), idOfStock(tenant, stock)) // which it had before its VIN was known
	}
	b.feed.Kept = append(b.feed.Kept, id)
}
