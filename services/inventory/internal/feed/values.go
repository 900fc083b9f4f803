package feed

import (
	"encoding/json"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// isAbsent says whether a text stands for no value.
func isAbsent(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "n/a", "null", "-", "none":
		return true
	}
	return false
}

var (
	spreadsheetPattern = regexp.MustCompile(`(?i)^\d(?:[.,]\d+)?E\+?\d+$`)
	vinPattern         = regexp.MustCompile(`^[A-HJ-NPR-Z0-9]{17}$`)
	wholePattern       = regexp.MustCompile(`^(?:\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.0{1,2})?$`)
	displacement       = regexp.MustCompile(`(?i)^(\d{1,2}(?:\.\d{1,3})?|\d{2,5}) ?(l|liter|liters|litre|litres|cc)?\.?$`)
	cylinderPattern    = regexp.MustCompile(`(?i)^(\d{1,2}) ?(?:cyl|cyl\.|cylinder|cylinders)?$`)
)

func parseVIN(text string) (any, *badValue) {
	if spreadsheetPattern.MatchString(text) {
		return nil, bad("a spreadsheet turned the VIN into a number such as 1.23E+16, which loses its digits",
			"Export the VIN column again, formatted as text.")
	}
	vin := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	if !vinPattern.MatchString(vin) {
		return nil, bad("the VIN is not 17 letters and digits without I, O and Q", "Give the full VIN.")
	}
	return vin, nil
}

func parseWhole(text string) (any, *badValue) {
	if !wholePattern.MatchString(text) {
		return nil, bad("the value is not a whole number", "Write a whole number such as 2025, or leave it empty.")
	}
	digits, _, _ := strings.Cut(strings.ReplaceAll(text, ",", ""), ".")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, bad("the value is not a whole number", "Write a whole number such as 2025, or leave it empty.")
	}
	return json.Number(strconv.FormatInt(n, 10)), nil
}

func parseMiles(text string) (any, *badValue) {
	fields := strings.Fields(strings.ToLower(text))
	if n := len(fields); n == 2 && (fields[1] == "mi" || fields[1] == "miles" || fields[1] == "mi.") {
		fields = fields[:1]
	}
	miles, err := parseWhole(strings.Join(fields, " "))
	if err != nil {
		return nil, bad("the mileage is not a whole number of miles", "Write whole miles such as 22150, or leave it empty.")
	}
	return miles, nil
}

// parseDisplacement reads litres ("2.5L", "2.5") or cubic centimetres ("2487 cc", "2487"). A bare number below 20 is litres.
func parseDisplacement(text string) (any, *badValue) {
	m := displacement.FindStringSubmatch(text)
	if m == nil {
		return nil, bad("the displacement is not in litres or cubic centimetres", "Write it such as 2.5L or 2487 cc.")
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return nil, bad("the displacement is not in litres or cubic centimetres", "Write it such as 2.5L or 2487 cc.")
	}
	if isCC := strings.EqualFold(m[2], "cc"); !isCC && (m[2] != "" || n < 20) {
		n *= 1000
	}
	if n == 0 {
		return nil, nil // electric
	}
	return json.Number(strconv.FormatInt(int64(math.Round(n)), 10)), nil
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
func parseCylinders(text string) (string, *badValue) {
	m := cylinderPattern.FindStringSubmatch(text)
	switch {
	case m == nil:
		return cleanText(text), nil
	case strings.Trim(m[1], "0") == "":
		return "", nil
	default:
		return m[1] + "-cylinder", nil
	}
}

func parseYes(text string) (bool, *badValue) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "t", "yes", "y", "1", "certified", "cpo":
		return true, nil
	case "false", "f", "no", "n", "0":
		return false, nil
	}
	return false, bad("the value is not yes or no", "Write TRUE or FALSE.")
}

// dateLayouts are the US and the ISO form; a time of day behind is ignored.
var dateLayouts = []string{"2006-01-02", "1/2/2006"}

func parseDate(text string) (any, *badValue) {
	day, _, _ := strings.Cut(text, " ")
	day, _, _ = strings.Cut(day, "T")
	for _, layout := range dateLayouts {
		if at, err := time.Parse(layout, day); err == nil {
			return at.Format(time.DateOnly), nil
		}
	}
	return nil, bad("the date cannot be read", "Write it as 2026-01-31 or 01/31/2026.")
}

func parseInstant(text string) (any, *badValue) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return nil, bad("the time cannot be read", "Write it with an offset, such as 2026-01-31T08:00:00Z.")
	}
	return at.UTC().Format(time.RFC3339Nano), nil
}

func parseURL(text string) (any, *badValue) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, bad("the address is not a URL", "Write it in full, beginning with https://.")
	}
	return text, nil
}

// parsePhotos splits at commas, semicolons and bars, but only where an address begins behind: addresses may hold commas.
func parsePhotos(text string) (any, *badValue) {
	photos := []any{}
	for _, part := range splitURLs(text) {
		photo, err := parseURL(part)
		if err != nil {
			return nil, bad("a photo address is not a URL", "Write full addresses beginning with https://, separated by commas.")
		}
		photos = append(photos, photo)
	}
	if len(photos) == 0 {
		return nil, nil
	}
	return photos, nil
}

var urlSeparator = regexp.MustCompile(`(?i)[,;|]\s*(https?://)`)

func splitURLs(text string) []string {
	var parts []string
	start := 0
	for _, at := range urlSeparator.FindAllStringSubmatchIndex(text, -1) {
		parts = append(parts, text[start:at[0]])
		start = at[2]
	}
	parts = append(parts, text[start:])
	var urls []string
	for _, part := range parts {
		if part = strings.Trim(part, ",;| \t\r\n"); part != "" {
			urls = append(urls, part)
		}
	}
	return urls
}

// parseFeatures splits at bars when there are any, else at commas.
func parseFeatures(text string) (any, *badValue) {
	separator := ","
	if strings.Contains(text, "|") {
		separator = "|"
	}
	features := []any{}
	seen := make(map[string]bool)
	for _, part := range strings.Split(text, separator) {
		feature := cleanText(htmlToText(part))
		if isAbsent(feature) || seen[feature] {
			continue
		}
		seen[feature] = true
		features = append(features, feature)
	}
	if len(features) == 0 {
		return nil, nil
	}
	return features, nil
}
