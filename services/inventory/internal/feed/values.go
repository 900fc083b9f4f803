package feed

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// isAbsent says whether a text stands for no value.
func isAbsent(text string) bool {
	switch text = strings.TrimSpace(text); len(text) {
	case 0:
		return true
	case 1, 2:
		return text == "-" || text == "--"
	case 3:
		return strings.EqualFold(text, "N/A")
	case 4:
		return strings.EqualFold(text, "null") || strings.EqualFold(text, "none") || strings.EqualFold(text, "#N/A")
	}
	return false
}

var notWhole = bad("the value is not a whole number", "Write a whole number such as 2025, or leave it empty.")

// parseWhole reads a count, with or without thousands separated, and zeros behind a decimal separator.
func parseWhole(text string) (any, *badValue) {
	a, how := parseAmount(text)
	if how != isAmount || a.hundredths != 0 || a.whole > math.MaxInt32 || strings.ContainsAny(text, "kK") {
		return nil, notWhole
	}
	return number(a.whole), nil
}

// parseYear reads a year of four digits.
func parseYear(text string) (any, *badValue) {
	digits := strings.TrimSuffix(text, ".0") // which spreadsheets make of numbers
	if len(digits) != 4 || !isDigits(digits) {
		return nil, bad("the value is not a year", "Write it with four digits, such as 2025.")
	}
	return json.Number(digits), nil
}

var notDisplacement = bad("the displacement is not in litres or cubic centimetres", "Write it such as 2.5L or 2487 cc.")

// parseDisplacement reads litres ("2.5L", "2.5", "2,5 l") or cubic centimetres ("2487 cc", "2487"). A bare number below 20 is litres.
// Nothing is the displacement of an electric motor.
func parseDisplacement(text string) (any, *badValue) {
	digits, word := cutWord(text)
	digits = strings.Replace(trimSpaces(digits), ",", ".", 1)
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || strings.Trim(digits, "0123456789.") != "" || n >= 100_000 {
		return nil, notDisplacement
	}
	switch strings.ToLower(word) {
	case "l", "liter", "liters", "litre", "litres", "ltr":
		n *= 1000
	case "cc", "ccm":
	case "":
		if n < 20 {
			n *= 1000
		}
	default:
		return nil, notDisplacement
	}
	cc := int64(math.Round(n))
	switch {
	case cc == 0:
		return nil, nil
	case cc >= 100_000:
		return nil, notDisplacement
	}
	return number(cc), nil
}

// litres writes cubic centimetres as people say them, such as "2.5L".
func litres(cc json.Number) string {
	n, err := cc.Float64()
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(n/1000, 'f', 1, 64) + "L"
}

// parseCylinders returns "4-cylinder", and "" for none; words such as "V6" are kept.
func parseCylinders(text string) string {
	digits, word := cutWord(text)
	switch strings.ToLower(word) {
	case "", "cyl", "cylinder", "cylinders":
	default:
		return cleanText(text)
	}
	digits = strings.TrimRight(digits, " -")
	switch {
	case digits == "" || len(digits) > 2 || !isDigits(digits):
		return cleanText(text)
	case strings.Trim(digits, "0") == "":
		return ""
	default:
		return digits + "-cylinder"
	}
}

var notYes = bad("the value is not yes or no", "Write TRUE or FALSE.")

func parseYes(text string) (bool, *badValue) {
	switch strings.ToLower(text) {
	case "true", "t", "yes", "y", "1", "certified", "cpo":
		return true, nil
	case "false", "f", "no", "n", "0", "not certified", "non-certified":
		return false, nil
	}
	return false, notYes
}

func parseBool(text string) (any, *badValue) {
	yes, err := parseYes(text)
	if err != nil {
		return nil, err
	}
	return yes, nil
}

// parseDecimal reads a number such as 77.4 or 77,4.
func parseDecimal(text string) (any, *badValue) {
	digits := strings.Replace(text, ",", ".", 1)
	if _, err := strconv.ParseFloat(digits, 64); err != nil || strings.Trim(digits, "0123456789.") != "" || digits[0] == '.' ||
		len(digits) > maxDigits {
		return nil, bad("the value is not a number", "Write a number such as 77.4, or leave it empty.")
	}
	n, _ := strconv.ParseFloat(digits, 64)
	return json.Number(strconv.FormatFloat(n, 'f', -1, 64)), nil
}
