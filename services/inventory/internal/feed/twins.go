package feed

import "bytes"

// nameTwins gives ids of their own to vehicles that stand under one VIN at two rooftops with two stock numbers, which is two listings.
//
// The one with the smallest stock number keeps the id of the VIN; the ids of the others depend on their stock numbers, and Settle
// lets them keep these. So neither the order of rows nor a twin that leaves the file changes an id. Ids that always depended on the stock number
// would change for every vehicle that gets a new one, and a row with nothing but the VIN of a sold vehicle would not find its listing.
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
	derived, smallest := idOfVIN(b.settings.Tenant.ID, vin), ""
	spots := b.countSpots(places)
	var twins []int
	for _, i := range places {
		r := b.feed.Rows[i]
		if r.VehicleID != derived || !spots.hasTwin(r) {
			continue
		}
		twins = append(twins, i)
		if smallest == "" || r.Stock < smallest {
			smallest = r.Stock
		}
	}
	for _, i := range twins {
		if r := &b.feed.Rows[i]; r.Stock != smallest {
			r.rename(idOfTwin(b.settings.Tenant.ID, vin, r.Stock))
		}
	}
}

// spots counts the rows of a VIN by rooftop and stock number, and by each of them with the other left "".
type spots map[spot]int

type spot struct{ rooftop, stock string }

func (b *builder) countSpots(places []int) spots {
	s := make(spots)
	for _, i := range places {
		r := b.feed.Rows[i]
		s[spot{}]++
		s[spot{rooftop: r.Rooftop}]++
		s[spot{stock: r.Stock}]++
		s[spot{r.Rooftop, r.Stock}]++
	}
	return s
}

// hasTwin says whether one of the rows has another rooftop and another stock number than r.
func (s spots) hasTwin(r Row) bool {
	return s[spot{}]-s[spot{rooftop: r.Rooftop}]-s[spot{stock: r.Stock}]+s[spot{r.Rooftop, r.Stock}] > 0
}

// Settle gives rows that a file names by VIN the ids that their vehicles had in a file that named a twin too. known says whether a
// vehicle of an id was ever listed.
func Settle(rows []Row, tenantID string, known func(vehicleID string) bool) {
	for i := range rows {
		r := &rows[i]
		if r.VIN == "" || r.Stock == "" {
			continue
		}
		if twin := idOfTwin(tenantID, r.VIN, r.Stock); known(twin) && r.VehicleID == idOfVIN(tenantID, r.VIN) {
			r.rename(twin)
		}
	}
}

// rename gives the row another derived id.
func (r *Row) rename(id string) {
	const member = `"vehicle_id":"`
	if r.JSON != nil {
		r.JSON = bytes.Replace(r.JSON, []byte(member+r.VehicleID+`"`), []byte(member+id+`"`), 1)
	}
	r.VehicleID = id
}
