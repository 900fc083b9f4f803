package feed

import (
	"fmt"
	"strings"
)

// table is what the header row says of the rows below.
type table struct {
	*layout
	line      int // of the header row
	delimiter byte
}

var (
	unclosedQuote = bad("the quote that opens the value in this column is never closed",
		"Put a double quote at the end of the value, right before the separator or the end of the line, and double the quotes inside.")
	tooLongLine = bad(fmt.Sprintf("the line is longer than %d KiB", maxRecord>>10), "Put every vehicle on a line of its own.")
)

// readCSV reads separated values under a header row. Every record below it is a row, good or bad, except those without any
// value, which spreadsheets export.
func (b *builder) readCSV(in *window) error {
	records, table, err := b.readHeader(in)
	if err != nil {
		return err
	}
	b.feed.Dialect = table.dialect
	b.warnColumns(table.line, table.layout)
	b.addAll(func(add func(size int, row rowFunc)) {
		for {
			before := in.offset
			r, ok := records.next()
			if !ok {
				break
			}
			add(int(in.offset-before), func(b *builder) { b.addRecord(r, table) })
		}
	})
	return in.err
}

func (b *builder) addRecord(r record, t *table) {
	switch {
	case r.tooLong:
		b.reject(r.line, "", tooLongLine)
		return
	case r.unclosed:
		column := ""
		if n := len(r.values); n < len(t.header) {
			column = t.header[n]
		}
		b.rejectBroken(r.values, r, t, column, unclosedQuote)
		return
	}
	for len(r.values) > len(t.header) && strings.TrimSpace(r.values[len(r.values)-1]) == "" {
		r.values = r.values[:len(r.values)-1]
	}
	if isBlank(r.values) {
		return
	}
	if len(r.values) != len(t.header) {
		b.rejectBroken(t.untilVIN(r), r, t, "", bad(fmt.Sprintf("the row has %d values under %d headers", len(r.values), len(t.header)),
			`Put values that hold separators, quotes or line breaks in double quotes, and double the quotes inside.`))
		return
	}
	b.feed.Count++
	d := b.newDraft(r.line)
	if r.lines > 1 {
		b.warnSwallowed(r, t)
	}
	b.fill(d, row{t.layout, r.values})
	b.finish(d)
}

func isBlank(values []string) bool {
	for _, v := range values {
		if strings.TrimSpace(v) != "" {
			return false
		}
	}
	return true
}

// reject counts a row that cannot be taken and whose vehicle cannot be told.
func (b *builder) reject(line int, column string, v *badValue) {
	b.feed.Count++
	b.feed.Rejected++
	b.feed.Unnamed++
	b.problem(line, column, v)
}

// warnSwallowed warns of values that may hold other rows because a quote was forgotten and another one happens to close the value.
func (b *builder) warnSwallowed(r record, t *table) {
	for i, value := range r.values {
		lines := strings.FieldsFunc(value, func(r rune) bool { return r == '\r' || r == '\n' })
		for _, line := range lines[min(1, len(lines)):] {
			if strings.Count(line, string(rune(t.delimiter)))+1 == len(t.header) {
				b.warn(r.line, t.header[i], bad("a line of the value looks like a row of its own",
					"If it is one, put the double quote that closes the value at its end."))
				break
			}
		}
	}
}
