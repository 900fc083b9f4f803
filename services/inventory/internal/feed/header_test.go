package feed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory/internal/feed"
)

func TestRead_CurrencyColumn_TakesOnlyDollars(t *testing.T) {
	for _, header := range []string{"Currency", "CurrencyCode", "currency_code", "PriceCurrency"} {
		for value, good := range map[string]bool{
			"": true, "N/A": true, "USD": true, "usd": true, "US$": true, "$": true, "EUR": false, "€": false, "CAD": false, "C$": false,
		} {
			f := read(t, twoRoofs, "Stock,Make,Price,"+header+"\nS1,Kia,9000,"+value+"\n")
			want := []feed.Problem{{
				File: "feed", Line: 2, Column: header, Problem: "the price is not an amount in US dollars",
				Correction: "Write the amount in US dollars such as 24990 or $24,990, or leave it empty when there is no price.",
			}}
			if good {
				want = nil
			}
			if diff := cmp.Diff(want, f.Problems); diff != "" || (len(f.Rows) == 1) != good {
				t.Errorf("%s %q: %d rows, %s", header, value, len(f.Rows), diff)
			}
		}
	}
	if f := read(t, twoRoofs, "Stock,Make,Status,Price,Currency\nS1,Kia,Sold,9000,EUR\n"); len(f.Rows) != 1 || !f.Rows[0].Gone {
		t.Errorf("a sold vehicle stays listed: %+v", f.Problems)
	}
}

func TestRead_ColumnsThatAreNotUsed_AreWarnedOfOnce(t *testing.T) {
	const noPrice = "no column is recognised as the selling price, so vehicles are listed without it"
	long, many := strings.Repeat("é", 41), make([]string, 22)
	for i := range many {
		many[i] = fmt.Sprint("x", i)
	}
	for name, c := range map[string]struct {
		header string
		want   []string
	}{
		"all used":          {"Stock,Make,Price", nil},
		"no header":         {"Stock,Make,Price,,", nil},
		"one":               {"Stock,Make,Price,Chrome ID", []string{"the column Chrome ID is not used"}},
		"two":               {"Stock,a,Make,b,Price", []string{"the columns a, b are not used"}},
		"no price":          {"Stock,Make,MSRP", []string{noPrice}},
		"no known price":    {"Stock,Make,Asking Price", []string{"the column Asking Price is not used", noPrice}},
		"too long":          {"Stock,Make,Price," + long, []string{"the column " + long[:80] + "… is not used"}},
		"control character": {"Stock,Make,Price,\"a\x1b\nb\"", []string{"the column a b is not used"}},
		"not UTF-8":         {"Stock,Make,Price,a\xff", []string{"the column a\uFFFD is not used"}},
		"too many": {"Stock,Make,Price," + strings.Join(many, ","), []string{
			"the columns " + strings.Join(many[:20], ", ") + " and 2 more are not used",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			row := "S1,Kia" + strings.Repeat(",", strings.Count(c.header, ",")-1) + "\n"
			f := read(t, twoRoofs, c.header+"\n"+row+"S2"+row[2:])
			var got []string
			for _, p := range f.Problems {
				if p.Line != 1 || !p.Warning || p.Correction == "" {
					t.Errorf("%+v is no warning at the header row", p)
				}
				got = append(got, p.Problem)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || len(f.Rows) != 2 {
				t.Errorf("%d rows, %s", len(f.Rows), diff)
			}
		})
	}
}

func TestRead_OtherSeparator_IsNamed(t *testing.T) {
	for header, want := range map[string]string{
		"VIN;Make;Price":             "semicolons (;)",
		"VIN\tMake\tPrice":           "tabs",
		"VIN|Make|Price":             "vertical bars (|)",
		`"VIN";"Make";"Price, USD"`:  "semicolons (;)",
		`"VIN";"Make";Price`:         "semicolons (;)",
		"sep=;":                      "semicolons (;)",
		"\uFEFF\r\nVIN;Make;Price|x": "semicolons (;)",
	} {
		_, err := feed.Read(strings.NewReader(header+"\n1;2;3\n"), settings(twoRoofs, validator(t)))
		want := "the header row looks separated by " + want + "; export the file with commas between the values"
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", header, err, want)
		}
	}
}
