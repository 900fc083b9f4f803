package feed

import (
	"fmt"
	"strings"
)

// recognise returns the dialect of a header row and the columns of each field, best first; nil when no dialect has such columns.
func recognise(header []string, _ Settings) (*dialect, map[field][]int) {
	for _, d := range dialects {
		if at, ok := d.columns(header); ok {
			return d, at
		}
	}
	return nil, nil
}

// warnColumns warns, at the header row, of what its columns will not tell.
func (b *builder) warnColumns(line int, header []string, known *dialect, at map[field][]int) {
	used := make(map[int]bool)
	for _, columns := range at {
		for _, i := range columns {
			used[i] = true
		}
	}
	b.warnUnused(line, header, used)
	if len(at[fieldSellingPrice]) == 0 {
		b.warn(line, "", bad("no column is recognised as the selling price, so vehicles are listed without it",
			"Name the column that holds it one of these, in any case, with or without spaces: "+
				strings.Join(known.headers[fieldSellingPrice], ", ")+"."))
	}
	b.warnTwins(line, header, used)
}

// Bounds of what a warning repeats of a header row.
const (
	maxNamed  = 20 // headers
	maxHeader = 40 // characters of each
)

// warnUnused names the columns that hold no field. Those without a header, which spreadsheets add, have no name.
func (b *builder) warnUnused(line int, header []string, used map[int]bool) {
	var names []string
	for i, h := range header {
		if name := shortHeader(h); !used[i] && name != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return
	}
	listed := strings.Join(names[:min(len(names), maxNamed)], ", ")
	if more := len(names) - maxNamed; more > 0 {
		listed += fmt.Sprintf(" and %d more", more)
	}
	problem := "the columns " + listed + " are not used"
	if len(names) == 1 {
		problem = "the column " + listed + " is not used"
	}
	b.warn(line, "", bad(problem, "If one holds a fact of the vehicle, give it a header that is recognised."))
}

func shortHeader(header string) string {
	name := []rune(cleanText(strings.ToValidUTF8(header, "\uFFFD")))
	if len(name) > maxHeader {
		return string(name[:maxHeader]) + "…"
	}
	return string(name)
}

// warnTwins warns of columns with the same header, of which the dialect cannot say which is better.
func (b *builder) warnTwins(line int, header []string, used map[int]bool) {
	seen := make(map[string]bool)
	for i, h := range header {
		key := headerKey(h)
		if used[i] && seen[key] {
			b.warn(line, h, bad("another column has the same header; of their values in a row the first counts", "Export one of the columns."))
		}
		seen[key] = true
	}
}
