package generate_test

import (
	"regexp"
	"testing"

	"forecourt.internal/services/inventory/internal/generate"
)

// remainder is the weighted sum of a VIN modulo 11 by the tables of 49 CFR 565.15, the check digit left out.
func remainder(vin string) int {
	values := map[rune]int{
		'A': 1, 'B': 2, 'C': 3, 'D': 4, 'E': 5, 'F': 6, 'G': 7, 'H': 8, 'J': 1, 'K': 2, 'L': 3, 'M': 4, 'N': 5, 'P': 7, 'R': 9,
		'S': 2, 'T': 3, 'U': 4, 'V': 5, 'W': 6, 'X': 7, 'Y': 8, 'Z': 9,
	}
	weights := []int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2}
	sum := 0
	for i, c := range vin {
		if c >= '0' && c <= '9' {
			sum += weights[i] * int(c-'0')
		} else {
			sum += weights[i] * values[c]
		}
	}
	return sum % 11
}

func TestRemainder_KnowsPublishedVINs(t *testing.T) {
	for vin, want := range map[string]int{
		"11111111111111111": 1,  // the usual trial VIN: every weight once
		"1M8GDM9AXKP042788": 10, // the worked example of the check digit, X
	} {
		if got := remainder(vin); got != want {
			t.Errorf("%s: %d, want %d", vin, got, want)
		}
	}
}

func TestWrite_VINsAreValidAndTellTheYear(t *testing.T) {
	// Place 7 is a letter for model years from 2010, the last six of a passenger car are digits (49 CFR 565.15).
	form := regexp.MustCompile(`^[A-HJ-NPR-Z0-9]{6}[A-HJ-NPR-Z][A-HJ-NPR-Z0-9][0-9X][CDEFGHJKLMNPRSTV][A-HJ-NPR-Z]\d{6}$`)
	years := map[string]byte{
		"2012": 'C', "2013": 'D', "2014": 'E', "2015": 'F', "2016": 'G', "2017": 'H', "2018": 'J', "2019": 'K', "2020": 'L', "2021": 'M',
		"2022": 'N', "2023": 'P', "2024": 'R', "2025": 'S', "2026": 'T', "2027": 'V',
	}
	for _, row := range rows(t, generate.Config{Count: 5_000, Seed: 13}) {
		vin := row["VIN"]
		if !form.MatchString(vin) {
			t.Fatalf("%s has not the form of a VIN", vin)
		}
		if want := "0123456789X"[remainder(vin)]; vin[8] != want {
			t.Errorf("%s: check digit %c, want %c", vin, vin[8], want)
		}
		if want := years[row["Year"]]; vin[9] != want {
			t.Errorf("%s: year code %c, want %c for %s", vin, vin[9], want, row["Year"])
		}
	}
}

// wmis are codes that the makers are known to use, for a sample of makes.
var wmis = map[string]*regexp.Regexp{
	"Toyota":    regexp.MustCompile(`^(4T1|2T3|5YF|7MU|3TM|5TD|5TF|JTD|JTE|JTM)`),
	"Honda":     regexp.MustCompile(`^(1HG|2HG|2HK|3CZ|5FN|5FP|3GP)`),
	"Ford":      regexp.MustCompile(`^(1FA|1FM|1FT|3FM|3FT)`),
	"Chevrolet": regexp.MustCompile(`^(1G1|1GC|1GN|3GC|3GN|KL7)`),
	"BMW":       regexp.MustCompile(`^(5UX|3MW|WBA|WBX|WBY)`),
	"Tesla":     regexp.MustCompile(`^(5YJ|7SA)`),
}

func TestWrite_VINsBeginWithACodeOfTheMaker(t *testing.T) {
	for _, row := range rows(t, generate.Config{Count: 5_000, Seed: 17}) {
		if known, ok := wmis[row["Make"]]; ok && !known.MatchString(row["VIN"]) {
			t.Errorf("%s: %s", row["Make"], row["VIN"])
		}
	}
}

func TestWrite_VINsAndStockNumbersAreUnique(t *testing.T) {
	const count = 30_000
	serials, stocks := make(map[string]bool, count), make(map[string]bool, count)
	for _, row := range rows(t, generate.Config{Count: count, Seed: 19}) {
		serials[row["VIN"][10:]] = true // plant and number alone tell vehicles apart
		stocks[row["Stock"]] = true
	}
	if len(serials) != count || len(stocks) != count {
		t.Errorf("%d VINs and %d stock numbers, want %d each", len(serials), len(stocks), count)
	}
}
