package feed

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	quote     = '"'
	delimiter = ','
)

// record is a row of a CSV file as it stands there.
type record struct {
	line   int // where it begins, from 1
	values []string
	// unclosed says that the quote that opens the value after values is never closed.
	unclosed bool
}

// scanner splits CSV into records (RFC 4180), with CRLF, LF and CR as line ends. Empty lines are no records.
//
// encoding/csv is not used because a quote that somebody forgot to close makes it read the rest of the file as one value. Here a
// record goes on over a line end only when it is well-formed to its end: every quoted value in it is closed by a quote before a
// delimiter or a line end, and other quotes inside are doubled. One that is not consists of its first line; that line is
// read as people write quotes when every value is closed on it ("6'2" bed"), and is unclosed else. So a forgotten quote costs
// the row that it is in.
type scanner struct {
	text []byte
	at   int // the next byte to read
	line int // the line that it is in
	// dead are the opening quotes after which a record was found not to be well-formed. Remembering them keeps the time linear when
	// every line has such a quote.
	dead map[int]bool
}

func newScanner(text []byte) *scanner { return &scanner{text: text, line: 1, dead: make(map[int]bool)} }

// next returns the next record; ok is false at the end of the text.
func (s *scanner) next() (r record, ok bool) {
	for n := lineEnd(s.text, s.at); n > 0; n = lineEnd(s.text, s.at) {
		s.at += n
		s.line++
	}
	if s.at == len(s.text) {
		return record{}, false
	}
	a := attempt{scanner: s, lines: 1}
	end, ok := a.read(s.at)
	if !ok {
		return s.firstLine(&a), true
	}
	r = record{line: s.line, values: a.values}
	s.at = end + lineEnd(s.text, end)
	s.line += a.lines
	return r, true
}

// firstLine gives up an attempt and takes the record for unclosed.
func (s *scanner) firstLine(a *attempt) record {
	r := record{line: s.line, values: a.values, unclosed: true}
	if a.lines > 1 {
		r.values = a.values[:a.crossing]
	}
	s.at += untilLineEnd(s.text[s.at:])
	for _, p := range a.opened {
		if p > s.at {
			s.dead[p] = true
		}
	}
	s.at += lineEnd(s.text, s.at)
	s.line++
	return r
}

// attempt is the reading of one record.
type attempt struct {
	*scanner
	values []string
	opened []int // the places of the opening quotes
	lines  int   // on which the record is so far
	// crossing is the number of values before the one that goes over the end of the first line.
	crossing int
	// sloppy says that there is a quote inside a value that is not doubled.
	sloppy bool
}

// read reads values up to the end of the record and returns its place; ok is false when a quote is never closed.
func (a *attempt) read(at int) (end int, ok bool) {
	for {
		at += spaces(a.text[at:])
		start := at
		if at < len(a.text) && a.text[at] == quote {
			if at, ok = a.quoted(start); !ok {
				return 0, false
			}
			a.values = append(a.values, strings.ReplaceAll(string(a.text[start+1:at-1]), `""`, `"`))
		} else {
			at += untilDelimiter(a.text[at:])
			a.values = append(a.values, string(a.text[start:at]))
		}
		if at == len(a.text) || a.text[at] != delimiter {
			return at, true
		}
		at++
	}
}

// quoted returns the place after the quote that closes the value whose opening quote is at open.
func (a *attempt) quoted(open int) (end int, ok bool) {
	a.opened = append(a.opened, open)
	if a.lines > 1 && a.dead[open] {
		return 0, false
	}
	for at := open + 1; ; {
		n := bytes.IndexAny(a.text[at:], "\"\r\n")
		if n < 0 {
			return 0, false
		}
		at += n
		if n := lineEnd(a.text, at); n > 0 {
			if a.sloppy || a.dead[open] {
				return 0, false
			}
			if a.lines == 1 {
				a.crossing = len(a.values)
			}
			a.lines++
			at += n
			continue
		}
		at++
		switch {
		case at == len(a.text) || a.text[at] == delimiter || lineEnd(a.text, at) > 0:
			return at, true
		case a.text[at] == quote:
			at++
		case a.lines > 1:
			return 0, false
		default:
			a.sloppy = true
		}
	}
}

// lineEnd returns the length of the line end at a place; 0 when there is none.
func lineEnd(text []byte, at int) int {
	switch {
	case at == len(text):
		return 0
	case text[at] == '\n':
		return 1
	case text[at] != '\r':
		return 0
	case at+1 < len(text) && text[at+1] == '\n':
		return 2
	default:
		return 1
	}
}

func untilLineEnd(text []byte) int {
	if n := bytes.IndexAny(text, "\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

func untilDelimiter(text []byte) int {
	if n := bytes.IndexAny(text, ",\r\n"); n >= 0 {
		return n
	}
	return len(text)
}

// spaces returns the length of the white space that the text begins with, up to a line end.
func spaces(text []byte) int {
	at := 0
	for at < len(text) && lineEnd(text, at) == 0 {
		r, n := utf8.DecodeRune(text[at:])
		if !unicode.IsSpace(r) {
			break
		}
		at += n
	}
	return at
}
