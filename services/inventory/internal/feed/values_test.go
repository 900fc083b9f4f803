package feed

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// refused stands for a bad value in the tables below.
const refused = "refused"

func check(t *testing.T, parse parser, cases map[string]any) {
	t.Helper()
	for text, want := range cases {
		got, err := parse(text)
		if err != nil {
			got = refused
			if err.problem == "" || err.correction == "" {
				t.Errorf("%q is refused without saying why", text)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func whole(n string) json.Number { return json.Number(n) }

func TestMoney(t *testing.T) {
	check(t, parseMoney, map[string]any{
		"24990": whole("24990"), "$24,990": whole("24990"), "24990.00": whole("24990"), "$ 24,990.50": whole("24991"), "24,990.49": whole("24990"),
		"24990 USD": whole("24990"), "24990.00 USD": whole("24990"), "USD 24990": whole("24990"), "24,990 usd": whole("24990"),
		"US$ 24,990": whole("24990"), "US$1,234,567": whole("1234567"), "24990$": whole("24990"), "$24,990 USD": whole("24990"),
		"24.990,00": whole("24990"), "24 990,00": whole("24990"), "24990,00": whole("24990"), "1.234.567": whole("1234567"),
		"24\u00a0990,00": whole("24990"), "24\u202f990": whole("24990"), "24\u2009990.00": whole("24990"), "$\u00a024,990": whole("24990"),
		"24'990": whole("24990"), "24\u2019990.50": whole("24991"), "24'990,50": whole("24991"), "1 234 567": whole("1234567"),
		"24.990": whole("24990"), "24,990": whole("24990"), "999.950": whole("999950"), "24.5": whole("25"), "24,99": whole("25"),
		"24990.0000": whole("24990"), "24,990.000": whole("24990"), "24990.000": whole("24990"), // databases
		"25K": whole("25000"), "$24.9k": whole("24900"), "24,9k": whole("24900"), "24.95 K": whole("24950"),
		"0": nil, "0.00": nil, "0.000": nil, "0,000": nil, "$0": nil, "0,00": nil, "$0.00 USD": nil, "Call": nil, "CALL": nil, "call for price": nil, "Contact us": nil,
		"Please call 555-0100": nil, "Price on request": nil, "TBD": nil, "Ask!": nil,
		"24.990k": refused, "1234k": refused, "k": refused, // how much is that?
		"1,2345": refused, "0.500": refused, "24,99,000": refused, "1,23,456": refused, "1.234,567.89": refused, "24990.123": refused,
		"24,": refused, ",24": refused, "24..990": refused, "24 99": refused, "2499 0": refused, "24'99": refused, "1234,567": refused,
		"€24990": refused, "24990 EUR": refused, "24.990,00 €": refused, "CAD 24990": refused, "C$24990": refused, "CA$ 24990": refused,
		"£24,990": refused, "24990 GBP": refused, "AUD24990": refused,
		"-5": refused, "cheap": refused, "1e5": refused, "24990 - 25990": refused, "24990 + tax": refused, "9999999999999": refused,
		"$": refused, "callable": refused, "\u0662\u0664\u0669\u0669\u0660": refused,
	})
}

func TestMoney_SaysWhetherTheCurrencyOrTheSeparatorsAreWrong(t *testing.T) {
	for text, want := range map[string]*badValue{"24990 EUR": notDollars, "24,99,000": unclearPrice, "$1234,567": unclearPrice} {
		if _, err := parseMoney(text); err != want {
			t.Errorf("%q: %+v", text, err)
		}
	}
}

func TestVIN(t *testing.T) {
	check(t, parseVIN, map[string]any{
		"4T1DAACK2SU512044": "4T1DAACK2SU512044", "4t1daack2su512044": "4T1DAACK2SU512044", "4T1DAACK 2SU512044": "4T1DAACK2SU512044",
		"\uFEFF4T1DAACK2SU512044\u200B": "4T1DAACK2SU512044",
		"4T1DAACK5SU51204":              refused, "4T1DAACK2SU5120445": refused, "IT1DAACK5SU512044": refused, "4T1DAACK5SU51204É": refused,
		"1.23E+16": refused, "1E16": refused,
	})
	for text, want := range map[string]*badValue{
		"1.23E+16": mangledVIN, "1,23e+16": mangledVIN, "1.23457E16": mangledVIN, "4E+16": mangledVIN, "1.23E": badVIN, "E+16": badVIN, "1.2.3E+16": badVIN,
	} {
		if _, err := parseVIN(text); err != want {
			t.Errorf("%q is explained as %+v", text, err)
		}
	}
}

func TestCheckDigitOfVIN(t *testing.T) {
	for vin, want := range map[string]bool{
		"1M8GDM9AXKP042788": true, "11111111111111111": true, "1HGCM82633A004352": true,
		"1M8GDM9A1KP042788": false, "1M8GDM9AXKP042789": false, "WAUZZZ8K9BA123456": false,
	} {
		if got := hasCheckDigit(vin); got != want {
			t.Errorf("%s = %t", vin, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	check(t, parseWhole, map[string]any{
		"44": whole("44"), "31,204": whole("31204"), "12.0": whole("12"), "007": whole("7"),
		"12.5": refused, "-1": refused, "1e3": refused, "12,345,6": refused, "ten": refused, "3k": refused, "99999999999": refused,
	})
	check(t, parseYear, map[string]any{"2025": whole("2025"), "2025.0": whole("2025"), "25": refused, "2,025": refused, "MMXX": refused})
	check(t, parseDisplacement, map[string]any{
		"2.5L": whole("2500"), "2.5 L": whole("2500"), "2.5": whole("2500"), "2487 cc": whole("2487"), "2,5 l": whole("2500"),
		"2487": whole("2487"), "5 Liters": whole("5000"), "0": nil, "0.0L": nil, "V6": refused, "2.5T": refused, "-2": refused, "999999": refused,
		"1e2": refused, "NaN": refused, "Inf": refused,
	})
	check(t, parseDecimal, map[string]any{"77.4": whole("77.4"), "77,40": whole("77.4"), "100": whole("100"), "1e9": refused, "": refused, ".": refused})
}

func TestMileage(t *testing.T) {
	inMiles := func(text string) (any, *badValue) { return parseMileage(text, miles) }
	inKilometres := func(text string) (any, *badValue) { return parseMileage(text, kilometres) }
	check(t, inMiles, map[string]any{
		"22150": whole("22150"), "22,150 mi": whole("22150"), "22150 Miles": whole("22150"), "22150mi.": whole("22150"), "0": whole("0"),
		"22k miles": whole("22000"), "22.1k": whole("22100"), "22.150": whole("22150"), "22,150.6": whole("22151"),
		"35 000 km": whole("21748"), "35.000 km": whole("21748"), "35\u00a0000\u00a0km": whole("21748"), "1.6 KM": whole("1"), "100000 Kilometers": whole("62137"),
		"low": refused, "-5": refused, "about 10": refused, "22150 leagues": refused, "22,15,0": refused, "mi": refused,
	})
	check(t, inKilometres, map[string]any{"35000": whole("21748"), "35,000 km": whole("21748"), "22,150 mi": whole("22150")})
}

func TestDates(t *testing.T) {
	check(t, parseDate, map[string]any{
		"01/31/2026": "2026-01-31", "1/5/2026": "2026-01-05", "2026-01-31": "2026-01-31", "2026-01-31T10:00:00Z": "2026-01-31",
		"01/31/2026 12:00 AM": "2026-01-31", "2026-01-31 08:00:00": "2026-01-31", "20260131": "2026-01-31", "2026/01/31": "2026-01-31",
		"31.01.2026": "2026-01-31", "31.1.2026 08:00": "2026-01-31", "01-31-2026": "2026-01-31", "31-01-2026": "2026-01-31", "05.05.2026": "2026-05-05",
		"05.01.2026": refused, "1-5-2026": refused, "31/01/2026": refused, "01/31/26": refused, "31.02.2026": refused, "2026-13-01": refused,
		"soon": refused, "46053": refused, "2026-1-5": "2026-01-05", "2026.01.31": refused, "00/10/2026": refused, "1//2026": refused, "1/2/3/2026": refused,
	})
	if _, err := parseDate("05.01.2026"); err != unclearDate {
		t.Errorf("05.01.2026 is explained as %+v", err)
	}
}

func TestInstants(t *testing.T) {
	oakland, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	anywhere := func(text string) (any, *badValue) { return parseInstant(text, nil) }
	there := func(text string) (any, *badValue) { return parseInstant(text, oakland) }
	check(t, anywhere, map[string]any{
		"2026-01-31T10:00:00+01:00": "2026-01-31T09:00:00Z", "2026-01-31 10:00:00-08:00": "2026-01-31T18:00:00Z", "2026-01-31T10:00:00+0100": "2026-01-31T09:00:00Z",
		"2026-01-31": refused, "2026-01-31 10:00": refused, "now": refused,
	})
	check(t, there, map[string]any{
		"2026-01-31T10:00:00+01:00": "2026-01-31T09:00:00Z", "2026-01-31 10:00": "2026-01-31T18:00:00Z", "01/31/2026 2:30:05 pm": "2026-01-31T22:30:05Z",
		"2026-07-01": "2026-07-01T07:00:00Z", "2026-01-31 25:00": refused, "05.01.2026 10:00": refused,
	})
}

func TestLists(t *testing.T) {
	check(t, parsePhotos, map[string]any{
		"https://a.example/1.jpg":                           []any{"https://a.example/1.jpg"},
		"https://a.example/1.jpg,https://a.example/2.jpg":   []any{"https://a.example/1.jpg", "https://a.example/2.jpg"},
		"https://a.example/1.jpg; http://a.example/2.jpg;":  []any{"https://a.example/1.jpg", "http://a.example/2.jpg"},
		"https://a.example/1.jpg|https://a.example/2,3.jpg": []any{"https://a.example/1.jpg", "https://a.example/2,3.jpg"},
		"https://a.example/?u=https://b.example/1.jpg":      []any{"https://a.example/?u=https://b.example/1.jpg"},
		"https://a.example/1.jpg https://a.example/2.jpg":   []any{"https://a.example/1.jpg", "https://a.example/2.jpg"},
		"https://a.example/w=1,h=2/1.jpg,\nHTTPS://a.example/2.jpg|http://b.example/3.jpg": []any{
			"https://a.example/w=1,h=2/1.jpg", "HTTPS://a.example/2.jpg", "http://b.example/3.jpg"},
		`["https://a.example/1.jpg", "https://a.example/2.jpg"]`: []any{"https://a.example/1.jpg", "https://a.example/2.jpg"},
		`[{"url": "https://a.example/1.jpg", "tag": ["Front"]}]`: []any{"https://a.example/1.jpg"},
		`[]`:                                nil,
		`["https://a.example/1.jpg"`:        refused,
		`[{"link": "https://a.example/1"}]`: refused,
		"https://a.example/my photo.jpg":    refused,
		"|":                                 nil,
		"1.jpg":                             refused,
		"//a.example/1.jpg":                 refused,
	})
	check(t, parseFeatures, map[string]any{
		"Heated seats|Tow package, class IV|None":            []any{"Heated seats", "Tow package, class IV"},
		"Heated seats, Tow package,, Heated seats":           []any{"Heated seats", "Tow package"},
		"R&amp;D package":                                    []any{"R&D package"},
		"Heated seats; Tow package, class IV":                []any{"Heated seats", "Tow package, class IV"},
		"<ul><li>Heated seats</li><li>Tow package</li></ul>": []any{"Heated seats", "Tow package"},
		`["Heated seats", "Tow, class IV"]`:                  []any{"Heated seats", "Tow, class IV"},
		`[Heated seats]`:                                     refused,
		"|":                                                  nil,
	})
}

func TestTexts(t *testing.T) {
	check(t, parseText, map[string]any{
		"  Ocean\t Gem\u0000 ": "Ocean Gem", "N/A": nil, "null": nil, "-": nil, "None": nil, " ": nil, "A < B": "A < B",
		"\uFEFFHM\u200B103": "HM103", "\uFEFF": nil,
	})
	check(t, parseDescription, map[string]any{
		"Plain text":    "Plain text",
		"5 < 7 & 3 > 2": "5 < 7 & 3 > 2",
		"a<br>b<br/>c":  "a\nb\nc",
		"<p>One</p><p>Two &eacute;&#39;&nbsp;x</p>":               "One\nTwo é' x",
		"<style>p{}</style><script>alert(1)</script><b>Seen</b>":  "Seen",
		"<table><tr><td>a</td><td>b</td></tr></table>":            "a b",
		"one\r\n\r\n  two  \x07":                                  "one\ntwo",
		"<p></p>":                                                 nil,
		"Line<script src=x onerror=alert(1)>hidden until the end": "Line",
	})
}

func TestEnums(t *testing.T) {
	check(t, parseEnum, map[string]any{
		"GASOLINE": "Gasoline", "PLUGIN_HYBRID": "Plug-in Hybrid", "SUV": "SUV", "4X4": "4x4", "SMALL_CAR": "Small Car", "OTHER": nil, "NONE": nil,
		"Crew Cab": "Crew Cab", "AUTOMATIC": "Automatic", "FWD": "FWD",
	})
}

func TestAbsent(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " ": true, "N/A": true, "n/a ": true, "NULL": true, "-": true, "none": true, "None": true, "#N/A": true, "        ": true,
		"0": false, "No": false, "nonesuch": false, "N/A yet": false,
	} {
		if got := isAbsent(text); got != want {
			t.Errorf("%q = %t", text, got)
		}
	}
}

func TestYes(t *testing.T) {
	for text, want := range map[string]bool{"TRUE": true, "Y": true, "1": true, "yes": true, "False": false, "n": false, "0": false} {
		if got, err := parseYes(text); err != nil || got != want {
			t.Errorf("%q = %t, %v", text, got, err)
		}
	}
	if _, err := parseYes("maybe"); err == nil {
		t.Error("maybe is taken")
	}
}

func TestHeaders_MatchWithoutCaseSeparatorsAndIndices(t *testing.T) {
	for header, want := range map[string]string{
		"StockNumber": "stocknumber", "stock_number": "stocknumber", "STOCK NUMBER": "stocknumber", "Stock-Number": "stocknumber",
		"stock.number": "stocknumber", " Stock Number ": "stocknumber", "Stock\nNumber": "stocknumber",
		"Stock\r\nNumber": "stocknumber", "image[0].url": "imageurl", "image[12].url": "imageurl", "x[y]": "x[y]",
	} {
		if key := columnKey(header); key != want {
			t.Errorf("%q = %q, want %q", header, key, want)
		}
	}
}
