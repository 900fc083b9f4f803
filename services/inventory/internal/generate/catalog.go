package generate

// Model years. The tables of models describe the latest one.
const (
	oldestYear = 2012
	latestYear = 2027
)

// brand is a make, and what its models have in common.
type brand struct {
	name string
	// share of the market, against the other brands.
	share int
	// keeps is the value of a used vehicle against the market, in per mille.
	keeps int
	// luxury brands have leather and the better equipment from the first trim on.
	luxury bool
	paints paints
	models []model
}

// model is one model of a brand as it is sold in the United States.
type model struct {
	name string
	// share of the brand's sales, against its other models.
	share int
	// first and last are model years; before and after there is none.
	first, last int
	// wmi is the world manufacturer identifier that begins the VIN (ISO 3780).
	wmi  string
	body string
	// msrp is that of the first trim, drive and engine in the latest model year, in US dollars.
	msrp    int
	trims   trims
	drives  drives
	engines engines
}

// The variants of a model, the one that sells most first. extra is the price on top of the model's, in US dollars.
type (
	trims []struct {
		name  string
		extra int
	}
	drives []struct {
		name  string
		extra int
	}
	engines []engine
)

// engine is an engine with its transmission.
type engine struct {
	litres string // displacement such as "2.5L"; "" without combustion
	layout string
	fuel   string
	// transmission is one of the words below.
	transmission string
	// city and highway are miles per gallon with the model's first drive; 0 without combustion.
	city, highway int
	extra         int
}

// Words of feeds.
const (
	gasoline = "Gasoline"
	diesel   = "Diesel"
	hybrid   = "Hybrid"
	plugIn   = "Plug-In Hybrid"
	electric = "Electric"

	automatic = "Automatic"
	cvt       = "CVT"
	manual    = "Manual"

	sedan       = "Sedan"
	suv         = "SUV"
	truck       = "Truck"
	hatchback   = "Hatchback"
	coupe       = "Coupe"
	convertible = "Convertible"
	wagon       = "Wagon"
	minivan     = "Minivan"
	van         = "Van"
)

// Drives that many models offer.
var (
	fwd       = drives{{"FWD", 0}}
	rwd       = drives{{"RWD", 0}}
	awd       = drives{{"AWD", 0}}
	fourWD    = drives{{"4WD", 0}}
	fwdOrAWD  = drives{{"FWD", 0}, {"AWD", 1_600}}
	awdOrFWD  = drives{{"AWD", 0}, {"FWD", -1_500}}
	rwdOrAWD  = drives{{"RWD", 0}, {"AWD", 2_000}}
	awdOrRWD  = drives{{"AWD", 0}, {"RWD", -3_000}}
	fourOrRWD = drives{{"4WD", 0}, {"RWD", -3_600}}
)

var brands = concat(americanBrands, asianBrands, europeanBrands)

func concat(lists ...[]brand) []brand {
	var all []brand
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// choice is a model with its brand, and its place there.
type choice struct {
	brand   *brand
	model   *model
	modelAt int
}

// market is what is sold of one model year.
type market struct {
	choices []choice
	weights []int
}

// marketOf lists the models of a year, weighted by the brands' and their own shares.
func marketOf(year int) market {
	var m market
	for b := range brands {
		total := 0
		for _, model := range brands[b].models {
			total += model.share
		}
		for i := range brands[b].models {
			model := &brands[b].models[i]
			if year < model.first || year > model.last {
				continue
			}
			m.choices = append(m.choices, choice{&brands[b], model, i})
			m.weights = append(m.weights, brands[b].share*1_000*model.share/total)
		}
	}
	return m
}
