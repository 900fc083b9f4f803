package feed

import "strings"

var (
	notMiles = bad("the mileage is not a distance in miles or kilometres",
		"Write it such as 22150, 22,150 mi or 35000 km, or leave it empty.")
	unclearMileage = bad("the separators in the mileage leave it open which distance is meant", "Write it without separators such as 22150.")
	unknownUnit    = bad("the unit of mileage is unknown", "Use MI or KM.")
)

// unit is the unit of a distance as a tenant document has it: "mi", "km" or "" for not stated.
type unit string

const (
	miles      unit = "mi"
	kilometres unit = "km"
)

// distanceUnits are the words of feeds for a unit, in small letters and without a full stop.
var distanceUnits = map[string]unit{
	"mi": miles, "mile": miles, "miles": miles, "mls": miles,
	"km": kilometres, "kms": kilometres, "kilometer": kilometres, "kilometers": kilometres, "kilometre": kilometres, "kilometres": kilometres,
}

func parseUnit(text string) (unit, bool) {
	u, ok := distanceUnits[strings.ToLower(strings.TrimSuffix(text, "."))]
	return u, ok
}

// parseMileage reads a distance as whole miles; kilometres are converted and rounded. A unit in the text counts, else the given one.
func parseMileage(text string, in unit) (any, *badValue) {
	if digits, word := cutWord(text); word != "" {
		if stated, ok := parseUnit(word); ok {
			text, in = digits, stated
		}
	}
	a, how := parseAmount(trimSpaces(text))
	switch {
	case how == isUnclear:
		return nil, unclearMileage
	case how == isNoAmount:
		return nil, notMiles
	case in == kilometres:
		return number(toMiles(a)), nil
	}
	return number(a.rounded()), nil
}

// cutWord cuts the letters, and a full stop behind them, from the end of a text.
func cutWord(text string) (before, word string) {
	end := len(strings.TrimSuffix(text, "."))
	start := end
	for start > 0 && (text[start-1]|0x20)-'a' <= 'z'-'a' {
		start--
	}
	return text[:start], text[start:end]
}
