package generate

// destination is what carmakers charge for the delivery to a dealership, in US dollars; it is part of the MSRP.
const destination = 1_395

// yearlyRise is how much cheaper a model was a year before, in per mille of the latest.
const yearlyRise = 22

// worth is what is left of the MSRP after years of average use, in per mille.
var worth = []int{1_000, 880, 790, 715, 645, 580, 520, 465, 415, 370, 330, 295, 260, 230, 205, 180}

// electricWorth is what electric vehicles keep against others, in per mille.
const electricWorth = 870

// milesPerYear is average use.
const milesPerYear = 12_000

// drawPrices draws the MSRP and the selling price. One vehicle in a hundred has no price: the dealership wants a call.
func (v *vehicle) drawPrices(d dice) {
	m := v.model
	list := m.msrp + m.trims[v.trimAt].extra + m.drives[v.driveAt].extra + v.engine().extra
	list = perMille(list, 1_000-yearlyRise*v.age())
	v.msrp = (list + destination + d.skewed(0, 4_000)) / 5 * 5
	switch {
	case d.chance(1):
		return
	case v.condition == isNew:
		v.price = min(v.msrp, ending(d, perMille(v.msrp, 1_000-d.skewed(0, 90))))
	default:
		v.price = ending(d, v.usedPrice(d))
	}
}

// usedPrice is the MSRP less depreciation by age and mileage, give or take what the market makes of it.
func (v *vehicle) usedPrice(d dice) int {
	price := perMille(v.msrp, worth[v.age()])
	price = perMille(price, v.brand.keeps)
	if v.engine().fuel == electric {
		price = perMille(price, electricWorth)
	}
	average := v.age() * milesPerYear
	price = perMille(price, 1_000+120*(average-v.miles)/average)
	if v.condition == isCertified {
		price = perMille(price, 1_035)
	}
	return perMille(price, d.middling(920, 1_080))
}

func perMille(dollars, of int) int { return dollars * of / 1_000 }

// ending gives a price the last digits that dealerships like.
func ending(d dice, dollars int) int {
	return dollars/100*100 + one(d, []int{95, 95, 88, 99, 50, 0})
}
