package generate

// colourNames are the colours as buyers say them, those of paints first.
var colourNames = []string{"White", "Black", "Gray", "Silver", "Blue", "Red", "Green", "Brown", "Orange"}

// colourWeights are how often buyers choose a colour, in percent.
var colourWeights = []int{26, 22, 20, 10, 10, 7, 3, 1, 1}

// paints are a manufacturer's names for the first six of colourNames.
type paints [6]string

// paint draws an exterior colour. New vehicles have the manufacturer's name, used ones have it half of the time.
func paint(d dice, b *brand, isNew bool) string {
	c := weighted(d, colourWeights)
	if named := isNew || d.chance(50); named && c < len(b.paints) {
		return b.paints[c]
	}
	return colourNames[c]
}

var (
	interiorColours = []string{"Black", "Gray", "Beige", "Brown", "Red"}
	interiorWeights = []int{58, 22, 11, 6, 3}
)

// upholstery draws an interior: cloth in the first trims, leather in the others and in luxury brands.
func upholstery(d dice, v *vehicle) string {
	material := " Cloth"
	if v.isUpscale() {
		material = " Leather"
	} else if v.trimAt > 0 && d.chance(40) {
		material = " Leatherette"
	}
	return interiorColours[weighted(d, interiorWeights)] + material
}
