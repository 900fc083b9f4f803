package feed

import "bytes"

// nameTwins gives ids of their own to vehicles that stand under one VIN at two rooftops with two stock numbers, which is two listings.
//
// The one with the smallest stock number keeps the id of the VIN; the ids of the others depend on their stock numbers. So neither the
// order of rows nor a third twin changes an id. What does: the twin with the smallest stock number leaves the file, or one with a
// smaller number comes; then the id of the VIN goes to another. Ids that always depended on the stock number would change for every
// vehicle that gets a new one, and a row with nothing but the VIN of a sold vehicle would not find its listing.
func (b *builder) nameTwins() {
	rows := b.feed.Rows
	first := make(map[string]int, len(rows)) // the place of the first row of a VIN
	var shared []string
	more := make(map[string][]int)
	for i, r := range rows {
		if r.VIN == "" || r.Stock == "" || r.Rooftop == "" {
			continue
		}
		at, seen := first[r.VIN]
		switch {
		case !seen:
			first[r.VIN] = i
		case len(more[r.VIN]) == 0:
			shared = append(shared, r.VIN)
			more[r.VIN] = []int{at, i}
		default:
			more[r.VIN] = append(more[r.VIN], i)
		}
	}
	for _, vin := range shared {
		b.nameTwinsOf(vin, more[vin])
	}
}

// nameTwinsOf looks at all rows of a VIN that state stock number and rooftop.
func (b *builder) nameTwinsOf(vin string, places []int) {
	derived, smallest := b.idOfVIN(vin), ""
	var twins []int
	for _, i := range places {
		r := b.feed.Rows[i]
		if r.VehicleID != derived || !b.isTwin(i, places) {
			continue
		}
		twins = append(twins, i)
		if smallest == "" || r.Stock < smallest {
			smallest = r.Stock
		}
	}
	for _, i := range twins {
		if r := &b.feed.Rows[i]; r.Stock != smallest {
			r.rename(b.idOfTwin(vin, r.Stock))
		}
	}
}

// isTwin says whether another row has another rooftop and another stock number, and none has only one of them in common: that would be
// the same vehicle, moved or stocked again.
func (b *builder) isTwin(i int, places []int) bool {
	r, found := b.feed.Rows[i], false
	for _, j := range places {
		other := b.feed.Rows[j]
		found = found || !isSameVehicle(r, other)
	}
	return found
}

// rename gives the row another derived id.
func (r *Row) rename(id string) {
	const member = `"vehicle_id":"`
	if r.JSON != nil {
		r.JSON = bytes.Replace(r.JSON, []byte(member+r.VehicleID+`"`), []byte(member+id+`"`), 1)
	}
	r.VehicleID = id
}
