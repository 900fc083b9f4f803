package feed_test

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/feed"
)

// soundFeed is what must hold of any text that is read.
func soundFeed(t *testing.T, v *contract.Validator, text string) {
	f, err := feed.Read(strings.NewReader(text), settings(twoRoofs, v))
	if err != nil {
		return
	}
	if f.Count != len(f.Rows)+f.Rejected+f.Superseded {
		t.Errorf("%d rows, but %d taken, %d rejected, %d superseded", f.Count, len(f.Rows), f.Rejected, f.Superseded)
	}
	if f.Dialect == "provider-csv" && f.Count != countRows(text) {
		t.Errorf("%d rows are reported, the file has %d", f.Count, countRows(text))
	}
	seen := make(map[string]bool)
	for _, row := range f.Rows {
		if seen[row.VehicleID] || strings.ContainsAny(row.VehicleID, ".*> ") || row.VehicleID == "" {
			t.Errorf("vehicle id %q", row.VehicleID)
		}
		seen[row.VehicleID] = true
		if row.Gone {
			continue
		}
		listing := listing(t, row)
		if err := v.Listing(map[string]any(listing)); err != nil {
			t.Errorf("a listing is invalid: %v", err)
		}
		if again, err := listing.JSON(); err != nil || !bytes.Equal(again, row.JSON) {
			t.Errorf("a listing is not canonical JSON: %s, %v", row.JSON, err)
		}
	}
}

// The rule of CSV records as a regular expression: one that is well-formed may hold line ends; any other one is a single line.
var (
	space      = `[\t\v\f\x{85}\p{Z}]*`
	value      = space + `(?:"(?:[^"]|"")*"|[^\t\v\f\x{85}\p{Z}",\r\n][^,\r\n]*|)`
	wellFormed = regexp.MustCompile(`\A` + value + `(?:,` + value + `)*(?:\r\n|\r|\n|\z)`)
	oneLine    = regexp.MustCompile(`\A[^\r\n]*(?:\r\n|\r|\n|\z)`)
)

// countRows counts the records below the header row that hold anything.
func countRows(text string) int {
	rows := -1
	for text = strings.TrimPrefix(text, "\uFEFF"); text != ""; {
		record := wellFormed.FindString(text)
		empty := record != "" && isEmpty(record)
		if record == "" {
			record = oneLine.FindString(text)
		}
		if strings.Trim(record, "\r\n") != "" && (rows < 0 || !empty) {
			rows++
		}
		text = text[len(record):]
	}
	return rows
}

func isEmpty(record string) bool {
	in := csv.NewReader(strings.NewReader(record))
	in.TrimLeadingSpace, in.LazyQuotes = true, true
	values, _ := in.Read()
	return strings.TrimSpace(strings.Join(values, "")) == ""
}

func fuzz(f *testing.F, files ...string) {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	v := validator(f)
	f.Fuzz(func(t *testing.T, text string) { soundFeed(t, v, text) })
}

func FuzzReadCSV(f *testing.F) {
	fuzz(f, "provider.csv", "provider-variants.csv", "provider-bad-rows.csv", "provider-quotes.csv")
}

func FuzzReadJSON(f *testing.F) { fuzz(f, "aap.json") }
