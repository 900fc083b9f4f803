package feed

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// delimiters are what separates the values of a file, in the order in which they are tried.
const delimiters = ",;\t|"

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
	var why error
	for _, delimiter := range []byte(try) {
		s.delimiter = delimiter
		r, _, _ := s.look()
		t, err := b.tableOf(r, delimiter)
		if len(r.values) > len(first.values) || first.line == 0 {
			first, why = r, err
		}
		if err == nil && (best == nil || t.size() > best.size()) {
			best = t
		}
	}
	if best == nil {
		return nil, nil, why
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

// tableOf returns what a header row says, or why it is of no use.
func (b *builder) tableOf(r record, delimiter byte) (*table, error) {
	switch {
	case r.unclosed:
		return nil, fmt.Errorf("a quote in the header row, line %d, is never closed", r.line)
	case r.tooLong:
		return nil, fmt.Errorf("the header row, line %d, is longer than %d KiB", r.line, maxRecord>>10)
	}
	for i := range r.values {
		r.values[i] = strings.Join(strings.Fields(r.values[i]), " ")
	}
	l, err := newLayout(r.values, b.settings)
	if err != nil {
		return nil, err
	}
	return &table{layout: l, line: r.line, delimiter: delimiter}, nil
}
