package feed

import (
	"fmt"
	"strings"

	"forecourt.internal/platform/tenant"
)

// warnColumns warns, at the header row, of what its columns will not tell.
func (b *builder) warnColumns(line int, l *layout) {
	used := l.at.used()
	b.warnUnused(line, l, used)
	for _, field := range l.lost {
		b.warn(line, "", bad("no column has a header that the tenant's mapping gives for "+field+", so vehicles are listed without it",
			"Name the column as in feed.mapping of the tenant document, or change the mapping."))
	}
	if !l.has(fieldSellingPrice) && len(l.priceHeaders) > 0 {
		b.warn(line, "", bad("no column is recognised as the selling price, so vehicles are listed without it",
			"Name the column that holds it one of these, in any case, with or without spaces: "+strings.Join(l.priceHeaders, ", ")+"."))
	}
	b.warnTwins(line, l, used)
}

// Bounds of what a warning repeats of a header row.
const (
	maxNamed  = 20 // headers
	maxHeader = 40 // characters of each
)

// warnUnused names the columns that hold no field. Those without a header, which spreadsheets add, have no name.
func (b *builder) warnUnused(line int, l *layout, used map[int]bool) {
	var names []string
	for i, h := range l.header {
		if name := shortHeader(h); !used[i] && !l.silent[i] && name != "" {
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

// warnTwins warns of columns with the same header, of which the dialect cannot say which is better. Lists may well go on in another.
func (b *builder) warnTwins(line int, l *layout, used map[int]bool) {
	seen := make(map[string]bool)
	for i, h := range l.header {
		key := tenant.HeaderKey(h)
		if used[i] && seen[key] && !l.isJoined(i) {
			b.warn(line, h, bad("another column has the same header; of their values in a row the first counts", "Export one of the columns."))
		}
		seen[key] = true
	}
}
