package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// delimiters are what separates the values of a file, in the order in which they are tried.
const delimiters = ",;\t|"

const whatCSVNeeds = "a CSV feed has a header row with VIN or Stock, and Make or Model, separated by commas, semicolons, tabs or vertical bars"

// readHeader reads the header row. The delimiter is the one under which most of its columns are recognised, or the one that a
// first line such as "sep=;" names, which spreadsheets write.
func (b *builder) readHeader(in *window) (*scanner, *table, error) {
	s := newScanner(in, delimiters[0])
	try := delimiters
	if named, ok := s.separatorLine(); ok {
		if !strings.Contains(delimiters, named) {
			return nil, nil, errors.New("the first line names a separator that is not read; use a comma, semicolon, tab or vertical bar")
		}
		try = named
	}
	var best *table
	var first record
	for _, delimiter := range []byte(try) {
		s.delimiter = delimiter
		r, _, _ := s.look()
		if len(r.values) > len(first.values) || first.line == 0 {
			first = r
		}
		if t := b.tableOf(r, delimiter); t != nil && (best == nil || len(t.at) > len(best.at)) {
			best = t
		}
	}
	if best == nil {
		return nil, nil, headerError(first)
	}
	s.delimiter = best.delimiter
	s.next()
	return s, best, nil
}

// separatorLine passes a line such as "sep=;" and returns what is behind the sign.
func (s *scanner) separatorLine() (named string, ok bool) {
	r, _, _ := s.look()
	text := s.in.text()
	line := bytes.Trim(text[:untilLineEnd(text)], `"`)
	if len(line) != len("sep=;") || !strings.EqualFold(string(line[:4]), "sep=") {
		return "", false
	}
	s.passLine()
	return string(line[4:]), r.line > 0
}

// tableOf returns what a header row says; nil when it is of no dialect.
func (b *builder) tableOf(r record, delimiter byte) *table {
	if r.unclosed || r.tooLong {
		return nil
	}
	t := &table{line: r.line, header: r.values, delimiter: delimiter}
	for i := range t.header {
		t.header[i] = strings.TrimSpace(t.header[i])
	}
	if t.dialect, t.at = recognise(t.header, b.settings); t.dialect == nil {
		return nil
	}
	for f, columns := range t.at {
		t.columns[f] = columns
	}
	return t
}

// headerError says why the header row is of no use.
func headerError(first record) error {
	switch {
	case first.unclosed:
		return fmt.Errorf("a quote in the header row, line %d, is never closed", first.line)
	case first.tooLong:
		return fmt.Errorf("the header row, line %d, is longer than %d KiB", first.line, maxRecord>>10)
	default:
		return errors.New("the columns are of no known dialect: " + whatCSVNeeds)
	}
}
