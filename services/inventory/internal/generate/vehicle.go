package generate

import (
	"strconv"
	"time"
)

// today is the day of every feed, from which days in stock are counted back: a feed does not depend on the clock.
var today = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// condition is how a vehicle is sold.
type condition int

const (
	isNew condition = iota
	isUsed
	isCertified
)

// Statuses as provider feeds write them.
const (
	inStock   = "In Stock"
	inTransit = "In Transit"
	pending   = "Pending"
	sold      = "Sold"
)

var statuses = []string{inStock, inTransit, pending, sold}

// vehicle is one drawn vehicle: what a row says of it.
type vehicle struct {
	choice
	year                      int
	trimAt, driveAt, engineAt int
	condition                 condition
	status                    string
	rooftop                   string
	stock                     string
	vin                       [vinLength]byte
	miles                     int
	msrp                      int // US dollars when it was new
	price                     int // US dollars; 0 is none
	days                      int // in stock
	exterior, interior        string
	options                   []string
	description               []byte
	photos                    int
}

func (v *vehicle) trim() string    { return v.model.trims[v.trimAt].name }
func (v *vehicle) drive() string   { return v.model.drives[v.driveAt].name }
func (v *vehicle) engine() *engine { return &v.model.engines[v.engineAt] }

// isUpscale says whether the vehicle has the better equipment.
func (v *vehicle) isUpscale() bool {
	return v.brand.luxury || v.model.trims[v.trimAt].extra >= v.model.msrp/10
}

// usedYearWeights are how many used vehicles of each model year are on sale, in percent, from the year before the latest back.
var usedYearWeights = []int{4, 9, 14, 16, 13, 11, 9, 7, 6, 4, 3, 2, 1, 1, 1}

// vehicle draws the n-th vehicle, from 0. It is valid until the next one is drawn.
func (s *stock) vehicle(n int) *vehicle {
	d := s.dice
	v := &s.drawn
	*v = vehicle{options: v.options[:0], description: v.description[:0]}
	if d.chance(62) {
		v.condition = isUsed
		v.year = latestYear - 1 - weighted(d, usedYearWeights)
	} else {
		v.year = latestYear - weighted(d, []int{52, 45, 3})
	}
	m := &s.markets[v.year-oldestYear]
	v.choice = m.choices[weighted(d, m.weights)]
	v.trimAt = d.early(len(v.model.trims))
	v.driveAt = d.early(len(v.model.drives))
	v.engineAt = d.early(len(v.model.engines))
	v.drawUse(d)
	v.drawStatus(d)
	v.drawPrices(d)
	v.exterior = paint(d, v.brand, v.condition == isNew)
	v.interior = upholstery(d, v)
	v.drawOptions(d)
	v.describe(d)
	v.photos = d.middling(4, 14)
	v.vin = vin(v, serialOf(s.serials, n))
	v.stock = stockNumber(d, v, n)
	if len(s.rooftops) > 0 {
		v.rooftop = one(d, s.rooftops)
	}
	return v
}

// drawUse draws the mileage, and whether a used vehicle is certified: about every third recent one with few miles is.
func (v *vehicle) drawUse(d dice) {
	if v.condition == isNew {
		v.miles = d.skewed(3, 180)
		return
	}
	months := v.age()*12 + d.between(-3, 8)
	v.miles = months*d.middling(450, 1_550) + d.below(1_000)
	if v.age() <= 5 && v.miles < 75_000 && d.chance(35) {
		v.condition = isCertified
	}
}

// age is how many years the model year lies behind; at least 1, because next year's models are sold in autumn.
func (v *vehicle) age() int { return latestYear - v.year }

// drawStatus draws the status and the days in stock: new vehicles stand longer, and are more often still on their way.
func (v *vehicle) drawStatus(d dice) {
	weights, longest := []int{90, 2, 5, 3}, 150
	if v.condition == isNew {
		weights, longest = []int{78, 16, 4, 2}, 240
	}
	v.status, v.days = statuses[weighted(d, weights)], d.skewed(1, longest)
}

// firstStock is the number of the first vehicle of a feed.
const firstStock = 10_000

// stockNumber is the initial of the make and a number of its own; a letter behind marks used vehicles that were traded in (A) or
// bought (P).
func stockNumber(d dice, v *vehicle, n int) string {
	number := v.brand.name[:1] + strconv.Itoa(firstStock+n)
	if v.condition == isNew {
		return number
	}
	return number + one(d, []string{"A", "A", "P"})
}
