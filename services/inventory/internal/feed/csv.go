package feed

import (
	"errors"
	"fmt"
	"strings"

	"forecourt.internal/services/inventory/internal/vehicle"
)

// cell is one value with the header that it stands under.
type cell struct{ column, text string }

// cells are the values of a row by field, best column first; absent values are left out.
type cells [numFields][]cell

var unclosedQuote = bad("the quote that opens the value in this column is never closed",
	"Put a double quote at the end of the value, right before the comma or the end of the line, and double the quotes inside.")

// readCSV reads comma-separated values under a header row. Every record below it is a row, good or bad, except those without any
// value, which spreadsheets export.
func (b *builder) readCSV(text []byte) error {
	in := newScanner(text)
	first, _ := in.next()
	header := first.values
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	known, at := recognise(header, b.settings)
	if first.unclosed || known == nil {
		return headerError(text, first)
	}
	b.feed.Dialect = known.name
	b.warnColumns(first.line, header, known, at)
	for r, ok := in.next(); ok; r, ok = in.next() {
		b.addRecord(r, header, at)
	}
	if b.feed.Count == 0 {
		return errors.New("the file has a header row and no row below it")
	}
	return nil
}

func (b *builder) addRecord(r record, header []string, at map[field][]int) {
	if r.unclosed {
		column := ""
		if n := len(r.values); n < len(header) {
			column = header[n]
		}
		b.reject(r.line, column, unclosedQuote)
		return
	}
	for len(r.values) > len(header) && strings.TrimSpace(r.values[len(r.values)-1]) == "" {
		r.values = r.values[:len(r.values)-1]
	}
	if strings.TrimSpace(strings.Join(r.values, "")) == "" {
		return
	}
	if len(r.values) != len(header) {
		b.reject(r.line, "", bad(fmt.Sprintf("the row has %d values under %d headers", len(r.values), len(header)),
			`Put values that hold commas, quotes or line breaks in double quotes, and double the quotes inside.`))
		return
	}
	b.feed.Count++
	d := &draft{line: r.line, vehicle: vehicle.Vehicle{}, columns: make(map[string]string)}
	b.warnSwallowed(r, header)
	if columns := at[fieldStatus]; len(columns) > 0 {
		d.statusColumn = header[columns[0]]
	}
	b.fill(d, b.cells(r, header, at))
	b.finish(d)
}

// reject counts a row that cannot be taken and whose vehicle cannot be told.
func (b *builder) reject(line int, column string, v *badValue) {
	b.feed.Count++
	b.feed.Rejected++
	b.feed.Unnamed++
	b.problem(line, column, v)
}

// warnSwallowed warns of values that may hold other rows because a quote was forgotten and another one happens to close the value.
func (b *builder) warnSwallowed(r record, header []string) {
	for i, value := range r.values {
		lines := strings.FieldsFunc(value, func(r rune) bool { return r == '\r' || r == '\n' })
		for _, line := range lines[min(1, len(lines)):] {
			if strings.Count(line, string(delimiter))+1 == len(header) {
				b.warn(r.line, header[i], bad("a line of the value looks like a row of its own",
					"If it is one, put the double quote that closes the value at its end."))
				break
			}
		}
	}
}

func (b *builder) cells(r record, header []string, at map[field][]int) *cells {
	row := new(cells)
	for f, columns := range at {
		for _, i := range columns {
			if text := strings.TrimSpace(r.values[i]); !isAbsent(text) {
				row[f] = append(row[f], cell{header[i], text})
			}
		}
	}
	return row
}
