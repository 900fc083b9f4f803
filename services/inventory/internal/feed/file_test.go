package feed_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/inventory/internal/feed"
)

func TestRead_AnyLineEnd(t *testing.T) {
	for _, text := range []string{"Stock,Make,Price\nS1,Kia,9000\n\nS2,VW,9000,x\n", "[{\"stock\":\"S1\",\"status\":\"pending\"},\n\n\n3]\n"} {
		want := read(t, twoRoofs, text)
		if len(want.Rows) != 1 || len(want.Problems) != 1 || want.Problems[0].Line != 4 {
			t.Errorf("%q: rows %+v, problems %+v, want one at line 4", text, want.Rows, want.Problems)
		}
		for _, end := range []string{"\r", "\r\n"} {
			other := strings.ReplaceAll(text, "\n", end)
			if diff := cmp.Diff(want, read(t, twoRoofs, other)); diff != "" {
				t.Errorf("%q: %s", other, diff)
			}
		}
	}
}

func TestRead_FileWithoutRows_HoldsNone(t *testing.T) {
	for text, dialect := range map[string]string{
		"Stock,Make": "provider-csv", "Stock,Make\r": "provider-csv", "Stock,Make\n,\n \n\"\",\"\"": "provider-csv", "sep=;\r\nStock;Make": "provider-csv",
		"[]": "aap-json", " [ ]\n": "aap-json",
	} {
		f := read(t, twoRoofs, text)
		f.Problems = nil // a header row may have warnings
		if diff := cmp.Diff(&feed.Feed{Dialect: dialect}, f); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestRead_FileOfNothingKnown_IsAnError(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "empty",
		"\uFEFF\r\n":                   "empty",
		"\xFF\xFE\n\x00":               "empty",
		strings.Repeat("\n", 1<<17):    "empty",
		strings.Repeat(" ", 2<<20):     "white space",
		strings.Repeat("x", 2<<20):     "longer than 1024 KiB",
		"Stock,\"Make\nS1,Kia\n":       "line 1, is never closed",
		"no,feed\nS1,Kia\n":            "separated by commas",
		"sep=:\nStock:Make\n":          "names a separator that is not read",
		"sep=,\nStock;Make\n":          "separated by commas",
		"[1]\n[2]\n":                   "goes on after the JSON array, line 2",
		"[{}\n{}]":                     "not valid JSON, at line 2",
		"[\n\n{\"stock\":\"S1\"}":      "not valid JSON, at line 3",
		`[1,"` + big + `"]`:            "line 1 is larger than 1024 KiB",
		"{":                            "one JSON object",
		"{\n\"stock\":\"S1\"\n}\n":     "one JSON object",
		`{"type":"x","data":[{}]}`:     "one JSON object",
		`{"vehicles":[{"stock":"S1"}]`: "one JSON object",
	} {
		_, err := feed.Read(strings.NewReader(text), settings(twoRoofs, validator(t)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

var big = strings.Repeat("x", 1<<20)

func TestRead_ReaderThatFails_IsAnError(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, text := range []string{"", "Stock,Make,Price\nS1,Kia,9000\n", `[{"stock":"S1","status":"pending"},`, "{\"stock\":\"S1\",\"status\":\"pending\"}\n"} {
		r := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if _, err := feed.Read(r, settings(twoRoofs, validator(t))); !errors.Is(err, broken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRead_JSON_IsOfNoOtherDialect(t *testing.T) {
	const text = `[{"stock":"S1","status":"pending"}]`
	ofProvider := &tenant.Document{ID: "t", Name: "T", Rooftops: oneRoof.Rooftops, Feed: tenant.Feed{Dialect: "provider-csv"}}
	for _, c := range []struct {
		doc     *tenant.Document
		dialect string
		good    bool
	}{{oneRoof, "", true}, {oneRoof, "aap-json", true}, {oneRoof, "provider-csv", false}, {ofProvider, "", true}, {ofProvider, "provider-csv", false}} {
		s := settings(c.doc, validator(t))
		s.Dialect = c.dialect
		_, err := feed.Read(strings.NewReader(text), s)
		if c.good && err != nil || !c.good && (err == nil || !strings.Contains(err.Error(), "choose aap-json")) {
			t.Errorf("tenant %q, dialect %q: %v", c.doc.Feed.Dialect, c.dialect, err)
		}
	}
}

func TestRead_TellsHowManyBytesItHasRead(t *testing.T) {
	text := "Stock,Make,Price,Comments\n" + strings.Repeat("S1,Kia,9000,"+strings.Repeat("nice ", 10_000)+"\n", 80)
	var told []int64
	s := settings(twoRoofs, validator(t))
	s.Progress = func(bytes int64) { told = append(told, bytes) }
	if _, err := feed.Read(strings.NewReader(text), s); err != nil {
		t.Fatal(err)
	}
	if len(told) < 4 || !slices.IsSorted(told) || told[len(told)-1] != int64(len(text)) {
		t.Errorf("told %v of %d bytes", told, len(text))
	}
}

func TestRead_ColumnsThatContradict_AreWarnedOf(t *testing.T) {
	const vin, otherVIN = "4T1DAACK2SU512044", "4T1DAACK4SU512045"
	for name, c := range map[string]struct {
		text     string
		warnings []string // line and column
	}{
		"a header twice":           {"Stock,STOCK,Make,make,Price\nS1,S1,Kia,Kia,9000\n", []string{"1 STOCK", "1 make"}},
		"a header three times":     {"Stock,Make,Make,Make,Price\nS1,Kia,,,9000\n", []string{"1 Make", "1 Make"}},
		"an unknown header twice":  {"Stock,Make,Price,x,x\nS1,Kia,9000,1,2\n", []string{"1 "}},
		"two stock numbers":        {"Stock,stock_number,Make,Price\nS1,S2,Kia,1\nS3,S3,Kia,1\nS4,,Kia,1\n,S5,Kia,1\n", []string{"2 stock_number"}},
		"two VINs":                 {"VIN,VehicleVIN,Make,Price\n" + vin + "," + otherVIN + ",Kia,9000\n", []string{"2 VehicleVIN"}},
		"one VIN in two spellings": {"VIN,VehicleVIN,Make,Price\n" + vin + "," + strings.ToLower(vin) + ",Kia,9000\n", nil},
		"two prices":               {"Stock,Make,InternetPrice,Price\nS1,Kia,9000,9500\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, twoRoofs, c.text)
			var got []string
			for _, p := range f.Problems {
				if !p.Warning {
					t.Errorf("a bad row: %+v", p)
				}
				got = append(got, fmt.Sprintf("%d %s", p.Line, p.Column))
			}
			if diff := cmp.Diff(c.warnings, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRead_FirstOfTwoColumnsCounts(t *testing.T) {
	v := listing(t, read(t, twoRoofs, "stock_number,Stock,Make,make\nS2,S1,Toyota,Honda\n").Rows[0])
	if v["stock"] != "S1" || v["make"] != "Toyota" { // Stock is the better column, Make the first
		t.Errorf("vehicle = %v", v)
	}
}

func TestRead_TooLargeListing_IsABadRow(t *testing.T) {
	words := func(n int) string { return strings.Repeat("nice ", n/5) }
	large := words(feed.MaxListing)
	for text, column := range map[string]string{
		"Stock,Make,Price,Comments\nS0,Kia,1,ok\nS1,Kia,1," + large + "\nS2,Kia,1,ok\n":                                                                                   "Comments",
		"Stock,Make,Price,Options\nS0,Kia,1,ok\nS1,Kia,1,\"" + large + "\"\nS2,Kia,1,ok\n":                                                                                "Options",
		"[{\"stock\":\"S0\",\"status\":\"pending\"},\n{\"stock\":\"S1\",\"status\":\"pending\",\"notes\":\"" + large + "\"},\n{\"stock\":\"S2\",\"status\":\"pending\"}]": "notes",
	} {
		f := read(t, twoRoofs, text)
		want := []feed.Problem{{
			File: "feed", Line: f.Rows[0].Line + 1, Element: 2 * f.Rows[0].Element, Column: column,
			Problem: "the listing is larger than 128 KiB", Correction: "Shorten the value in this column, which is the longest.",
		}}
		if diff := cmp.Diff(want, f.Problems); diff != "" || len(f.Rows) != 2 || f.Rejected != 1 {
			t.Errorf("%d rows, %d rejected, %s", len(f.Rows), f.Rejected, diff)
		}
	}
	if f := read(t, twoRoofs, "Stock,Make,Comments\nS1,Kia,"+words(feed.MaxListing-1000)+"\n"); len(f.Rows) != 1 {
		t.Errorf("a listing below the bound is refused: %+v", f.Problems)
	}
}

func TestRead_HostileFiles_TakeLinearTime(t *testing.T) {
	const size = 1 << 18
	fill := func(text string) string { return strings.Repeat(text, size/len(text)) }
	for name, text := range map[string]string{
		"nested arrays":                    "[" + fill("["),
		"nested objects on lines":          "{}\n" + fill(`{"a":[`+strings.Repeat("[", 5000)+"\n"),
		"tiny elements behind a large one": `["` + fill("x")[:1<<17] + `"` + fill(",\n\n\n\n\n\n\n7") + "]",
		"one VIN everywhere":               "Stock,VIN,Make,Price,Rooftop\n" + fill("S1,1N4BA2A30LA570790,Kia,1,Oakland\n"),
		"only separators":                  "Stock,Make,Price\n" + fill(",,\n"),
		"one line of separators":           "Stock,Make,Price\n" + fill(","),
		"only quotes":                      "Stock,Make,Price\n" + fill("\""),
		"one broken byte each":             "Stock,Make,Price\n" + fill("é\xFF,Kia,\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := feed.Read(strings.NewReader(text), settings(twoRoofs, validator(t))); err != nil {
				t.Log(err) // which may be, but soon
			}
		})
	}
}

func TestRead_ManyProblems_AreCountedBeyondABound(t *testing.T) {
	var text strings.Builder
	text.WriteString("Stock,Make,Price,MSRP\n")
	for i := range 1500 {
		fmt.Fprintf(&text, "S1,Kia,9000,1\nS2,Kia,x,1\n%s\n", strings.Repeat(",", 4+i%2)+"x")
	}
	f := read(t, twoRoofs, text.String())
	want := []feed.Omitted{
		{Problem: "the row has … values under … headers", Count: 1000},
		{Column: "Price", Problem: "the price is not an amount in US dollars", Count: 1000},
		{Problem: "line … is about the same vehicle and replaces this row", Warning: true, Count: 499},
	}
	if diff := cmp.Diff(want, f.Omitted); diff != "" {
		t.Error(diff)
	}
	listed := make(map[bool]int)
	for _, p := range f.Problems {
		listed[p.Warning]++
	}
	if diff := cmp.Diff(map[bool]int{false: feed.MaxProblems, true: feed.MaxProblems}, listed); diff != "" || f.Rejected != 3000 || f.Superseded != 1499 {
		t.Errorf("%d rejected, %d superseded, %s", f.Rejected, f.Superseded, diff)
	}
}
