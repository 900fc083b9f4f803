package feed

import (
	"encoding/json"
	"testing"

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

func TestMoney(t *testing.T) {
	check(t, parseMoney, map[string]any{
		"24990": json.Number("24990"), "$24,990": json.Number("24990"), "24990.00": json.Number("24990"), "$ 24,990.50": json.Number("24991"),
		"24990 USD": json.Number("24990"), "USD 24990": json.Number("24990"), "US$1,234,567": json.Number("1234567"),
		"0": nil, "0.00": nil, "$0": nil, "Call": nil, "call for price": nil, "Contact us": nil, "Please call 555-0100": nil,
		"24.990": refused, "24.990,00": refused, "24,99": refused, "1,2345": refused, "€24990": refused, "24990 EUR": refused,
		"CAD 24990": refused, "-5": refused, "cheap": refused, "1e5": refused, "24990 - 25990": refused, "9999999999999": refused,
	})
}

func TestVIN(t *testing.T) {
	check(t, parseVIN, map[string]any{
		"4T1DAACK5SU512044": "4T1DAACK5SU512044", "4t1daack5su512044": "4T1DAACK5SU512044", "4T1DAACK 5SU512044": "4T1DAACK5SU512044",
		"4T1DAACK5SU51204": refused, "4T1DAACK5SU5120445": refused, "IT1DAACK5SU512044": refused, "1.23E+16": refused, "1E16": refused,
	})
	if _, err := parseVIN("1.23E+16"); err.problem != "a spreadsheet turned the VIN into a number such as 1.23E+16, which loses its digits" {
		t.Errorf("a mangled VIN is explained as %q", err.problem)
	}
}

func TestNumbers(t *testing.T) {
	check(t, parseWhole, map[string]any{
		"2025": json.Number("2025"), "31,204": json.Number("31204"), "12.0": json.Number("12"), "007": json.Number("7"),
		"12.5": refused, "-1": refused, "1e3": refused, "12,34": refused, "ten": refused,
	})
	check(t, parseMiles, map[string]any{
		"22150": json.Number("22150"), "22,150 mi": json.Number("22150"), "22150 Miles": json.Number("22150"), "0": json.Number("0"),
		"35000 km": refused, "low": refused,
	})
	check(t, parseDisplacement, map[string]any{
		"2.5L": json.Number("2500"), "2.5 L": json.Number("2500"), "2.5": json.Number("2500"), "2487 cc": json.Number("2487"),
		"2487": json.Number("2487"), "5 Liters": json.Number("5000"), "0": nil, "V6": refused,
	})
}

func TestDates(t *testing.T) {
	check(t, parseDate, map[string]any{
		"01/31/2026": "2026-01-31", "1/5/2026": "2026-01-05", "2026-01-31": "2026-01-31", "2026-01-31T10:00:00Z": "2026-01-31",
		"01/31/2026 12:00 AM": "2026-01-31", "31.01.2026": refused, "31/01/2026": refused, "soon": refused,
	})
	check(t, parseInstant, map[string]any{
		"2026-01-31T10:00:00+01:00": "2026-01-31T09:00:00Z", "2026-01-31": refused, "2026-01-31 10:00": refused,
	})
}

func TestLists(t *testing.T) {
	check(t, parsePhotos, map[string]any{
		"https://a.example/1.jpg":                           []any{"https://a.example/1.jpg"},
		"https://a.example/1.jpg,https://a.example/2.jpg":   []any{"https://a.example/1.jpg", "https://a.example/2.jpg"},
		"https://a.example/1.jpg; http://a.example/2.jpg;":  []any{"https://a.example/1.jpg", "http://a.example/2.jpg"},
		"https://a.example/1.jpg|https://a.example/2,3.jpg": []any{"https://a.example/1.jpg", "https://a.example/2,3.jpg"},
		"https://a.example/?u=https://b.example/1.jpg":      []any{"https://a.example/?u=https://b.example/1.jpg"},
		"|":                 nil,
		"1.jpg":             refused,
		"//a.example/1.jpg": refused,
	})
	check(t, parseFeatures, map[string]any{
		"Heated seats|Tow package, class IV|None":  []any{"Heated seats", "Tow package, class IV"},
		"Heated seats, Tow package,, Heated seats": []any{"Heated seats", "Tow package"},
		"R&amp;D package":                          []any{"R&D package"},
		"|":                                        nil,
	})
}

func TestTexts(t *testing.T) {
	check(t, parseText, map[string]any{
		"  Ocean\t Gem\u0000 ": "Ocean Gem", "N/A": nil, "null": nil, "-": nil, "None": nil, " ": nil, "A < B": "A < B",
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

func TestHeaders_MatchWithoutCaseAndSeparators(t *testing.T) {
	for _, header := range []string{"StockNumber", "stock_number", "STOCK NUMBER", "Stock-Number", "stock.number", " Stock Number "} {
		if key := headerKey(header); key != "stocknumber" {
			t.Errorf("%q = %q", header, key)
		}
	}
}
