package feed_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
	if want := countRows(f.Dialect, text); f.Encoding == "" && !slices.Contains(want, f.Count) {
		t.Errorf("%d rows are reported, the file has one of %d", f.Count, want)
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

// countRows returns how many rows a text can have: those of a CSV file depend on its separator.
func countRows(dialect, text string) (counts []int) {
	text = strings.TrimPrefix(text, "\uFEFF")
	first := strings.TrimLeft(text, " \t\r\n")
	switch {
	case dialect != "aap-json":
		for _, separator := range []string{",", ";", "\t", "|"} {
			counts = append(counts, countRecords(text, separator))
		}
	case first[0] == '{':
		lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' })
		counts = append(counts, len(slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })))
	default:
		var elements []json.RawMessage
		if json.Unmarshal([]byte(text), &elements) == nil {
			counts = append(counts, len(elements))
		}
	}
	return counts
}

// The rule of CSV records as a regular expression: one that is well-formed may hold line ends; any other one is a single line.
var oneLine = regexp.MustCompile(`\A[^\r\n]*(?:\r\n|\r|\n|\z)`)

// recordRules are the rules of one separator.
type recordRules struct{ wellFormed, blank *regexp.Regexp }

var rules = func() map[string]recordRules {
	all := make(map[string]recordRules)
	for _, separator := range []string{",", ";", "\t", "|"} {
		mark, space := regexp.QuoteMeta(separator), `\v\f\x{85}\p{Z}`
		if separator != "\t" {
			space += `\t`
		}
		of := func(value string) *regexp.Regexp {
			value = `[` + space + `]*(?:` + value + `)`
			return regexp.MustCompile(`\A` + value + `(?:` + mark + value + `)*(?:\r\n|\r|\n|\z)`)
		}
		all[separator] = recordRules{
			wellFormed: of(`"(?:[^"]|"")*"|[^` + space + mark + `"\r\n][^` + mark + `\r\n]*|`),
			blank:      of(`"[\s\v\x{85}\p{Z}]*"|`),
		}
	}
	return all
}()

var separatorLine = regexp.MustCompile(`(?i)\A[\r\n]*"*sep=[^\r\n]"*(?:[\r\n]|\z)`)

// countRecords counts the records below the header row that hold anything.
func countRecords(text, separator string) int {
	rows := -1
	text = text[len(separatorLine.FindString(text)):]
	for rule := rules[separator]; text != ""; {
		record := rule.wellFormed.FindString(text)
		isBlank := record != "" && rule.blank.FindString(record) == record
		if record == "" {
			record = oneLine.FindString(text)
		}
		if strings.Trim(record, "\r\n") != "" && (rows < 0 || !isBlank) {
			rows++
		}
		text = text[len(record):]
	}
	return rows
}

func fuzz(f *testing.F, files ...string) {
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(filesDir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	v := validator(f)
	f.Fuzz(func(t *testing.T, text string) { soundFeed(t, v, text) })
}

func FuzzReadCSV(f *testing.F) {
	fuzz(f, "provider.csv", "provider-variants.csv", "bad-rows.csv", "provider-quotes.csv", "google.tsv", "meta.csv", "aap.csv", "prices.csv")
}

func FuzzReadJSONArray(f *testing.F) { fuzz(f, "aap.json") }

func FuzzReadJSONLines(f *testing.F) {
	f.Add("{\"stock\":\"S1\",\"status\":\"pending\"}\n\n{\"stock\":\n{}\n7\n")
	f.Add("{\"vehicles\":[{}]}")
	fuzz(f)
}
