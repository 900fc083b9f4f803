package feed

import "strings"

var (
	badVIN     = bad("the VIN is not 17 letters and digits without I, O and Q", "Give the full VIN.")
	mangledVIN = bad("a spreadsheet turned the VIN into a number such as 1.23E+16, which loses its digits",
		"Export the VIN column again, formatted as text.")
	// mistypedVIN is a warning. A wrong check digit nearly always is a typing error, yet the car is on the lot and must be found; and
	// vehicles that were not built for North America carry none.
	mistypedVIN = bad("the check digit of the VIN, its ninth character, does not fit the others", "Compare the VIN with the one on the vehicle.")
)

func parseVIN(text string) (any, *badValue) {
	vin := strings.ToUpper(strings.ReplaceAll(cleanText(text), " ", ""))
	switch {
	case isVIN(vin):
		return vin, nil
	case isScientific(vin):
		return nil, mangledVIN
	default:
		return nil, badVIN
	}
}

func isVIN(text string) bool {
	if len(text) != len(vinWeights) {
		return false
	}
	for i := range len(text) {
		if vinValues[text[i]] < 0 {
			return false
		}
	}
	return true
}

// isScientific says whether a text is a number such as 1.23E+16 or 1,23E+16.
func isScientific(text string) bool {
	mantissa, exponent, ok := strings.Cut(text, "E")
	first, rest, _ := strings.Cut(strings.Replace(mantissa, ",", ".", 1), ".")
	return ok && len(first) == 1 && isDigits(first) && isDigits(rest) && exponent != "" && isDigits(strings.TrimPrefix(exponent, "+"))
}

func isDigits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// The check digit of a VIN (49 CFR 565.15 (c)).
var (
	vinWeights = [17]int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	// vinValues are the values of characters, and -1 for those that no VIN has.
	vinValues = func() (values [256]int) {
		for c := range values {
			values[c] = -1
		}
		for c := byte('0'); c <= '9'; c++ {
			values[c] = int(c - '0')
		}
		for _, run := range []struct {
			letters string
			first   int
		}{{"ABCDEFGH", 1}, {"JKLMN", 1}, {"P", 7}, {"R", 9}, {"STUVWXYZ", 2}} {
			for i := range len(run.letters) {
				values[run.letters[i]] = run.first + i
			}
		}
		return values
	}()
)

// hasCheckDigit says whether the ninth character of a well-formed VIN fits the others.
func hasCheckDigit(vin string) bool {
	sum := 0
	for i := range len(vin) {
		sum += vinValues[vin[i]] * vinWeights[i]
	}
	if sum%11 == 10 {
		return vin[8] == 'X'
	}
	return vin[8] == byte('0'+sum%11)
}
