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
		"one":               {"Stock,Make,Price,Lot Row", []string{"the column Lot Row is not used"}},
		"two":               {"Stock,a,Make,b,Price", []string{"the columns a, b are not used"}},
		"no price":          {"Stock,Make,MSRP", []string{noPrice}},
		"no known price":    {"Stock,Make,Asking Price", []string{"the column Asking Price is not used", noPrice}},
		"too long":          {"Stock,Make,Price," + long, []string{"the column " + long[:80] + "… is not used"}},
		"control character": {"Stock,Make,Price,\"a\x1b\nb\"", []string{"the column a b is not used"}},
		"not UTF-8":         {"Stock,Make,Price,éa\xff", []string{"the column éa\uFFFD is not used"}},
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

func TestRead_SeparatorIsTheOneOfTheHeaderRow(t *testing.T) {
	const row = "Stock%[1]sMake%[1]sPrice%[1]sComments\nS1%[1]sKia%[1]s9000%[1]s\"a%[1]sb\"\n"
	for _, separator := range []string{",", ";", "\t", "|"} {
		want := "a" + strings.ReplaceAll(separator, "\t", " ") + "b"
		plain := fmt.Sprintf(row, separator)
		quoted := strings.Replace(plain, "Price", `"Price"`, 1)
		spaced := strings.Replace(plain, separator+"Make", separator+" Make", 1)
		for _, text := range []string{
			plain, quoted, spaced, "\uFEFF\r\n" + plain, "sep=" + separator + "\r\n" + plain, "\"SEP=" + separator + "\"\n\n" + plain,
			strings.Replace(plain, "Comments", `"Comments,;|	"`, 1),
		} {
			f := read(t, twoRoofs, text)
			if len(f.Rows) != 1 || f.Rejected != 0 {
				t.Errorf("%q: %+v", text, f)
				continue
			}
			if got := listing(t, f.Rows[0])["description"]; got != want && got != nil {
				t.Errorf("%q: description %q, want %q", text, got, want)
			}
		}
	}
}
