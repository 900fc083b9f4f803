package feed

import "maps"

const quote = '"'

// Bounds of a record. They are many times what a listing may hold, and bound what must be looked at before a forgotten quote is
// known to be one.
const (
	maxRecord      = 1 << 20 // bytes
	maxRecordLines = 4096
)

// record is a row of a CSV file as it stands there.
type record struct {
	line   int // where it begins, from 1
	lines  int // that it stands on
	values []string
	// unclosed says that the quote that opens the value after values is never closed within the bounds of a record.
	unclosed bool
	// tooLong says that the line does not end within the bounds of a record; values is empty then.
	tooLong bool
}

// scanner splits CSV into records (RFC 4180) while it is read, with CRLF, LF and CR as line ends. Empty lines are no records.
//
// encoding/csv is not used because a quote that somebody forgot to close makes it read the rest of the file as one value. Here a
// record goes on over a line end only when it is well-formed to its end: every quoted value in it is closed by a quote before a
// delimiter or a line end, and other quotes inside are doubled. One that is not consists of its first line; that line is
// read as people write quotes when every value is closed on it ("6'2" bed"), and is unclosed else. So a forgotten quote costs
// the row that it is in.
type scanner struct {
	in        *window
	delimiter byte
	line      int // the line that the window begins in
	attempt   attempt
	// dead are the opening quotes, by their place in the text, after which a record was found not to be well-formed. Remembering
	// them keeps the time linear when every line has such a quote.
	dead   map[int64]bool
	pruned int // the number of dead quotes when those that were passed were last dropped
}

func newScanner(in *window, delimiter byte) *scanner {
	return &scanner{in: in, delimiter: delimiter, line: 1, dead: make(map[int64]bool)}
}

// next returns the next record; ok is false at the end of the text.
func (s *scanner) next() (r record, ok bool) {
	r, length, ok := s.look()
	switch {
	case !ok:
		return record{}, false
	case r.tooLong:
		s.passLine()
		return r, true
	case r.unclosed:
		s.bury(length)
	}
	s.in.pass(length)
	s.line += r.lines
	s.passLineEnd()
	return r, true
}

// look returns the next record and its length in bytes without its line end, and stays before it.
func (s *scanner) look() (r record, length int, ok bool) {
	for s.passLineEnd() {
		s.line++
	}
	for {
		text := s.in.text()
		end, isWhole := s.attempt.read(s, text[:min(len(text), maxRecord)])
		a := &s.attempt
		switch {
		case isWhole && len(text) == 0:
			return record{}, 0, false
		case isWhole:
			return record{line: s.line, lines: a.lines, values: a.texts(len(a.values))}, end, true
		case a.cut && len(text) < maxRecord:
			s.in.more()
		case a.cut && a.lines == 1 && len(text) >= maxRecord:
			return record{line: s.line, lines: 1, tooLong: true}, 0, true
		default:
			return s.firstLine()
		}
	}
}

// firstLine gives up the attempt and takes the record for unclosed.
func (s *scanner) firstLine() (r record, length int, ok bool) {
	a := &s.attempt
	n := len(a.values)
	if a.lines > 1 {
		n = a.crossing
	}
	return record{line: s.line, lines: 1, values: a.texts(n), unclosed: true}, untilLineEnd(a.text), true
}

// bury remembers the opening quotes of a failed attempt that are behind its first line.
func (s *scanner) bury(firstLine int) {
	for _, p := range s.attempt.opened {
		if p > firstLine {
			s.dead[s.in.offset+int64(p)] = true
		}
	}
	if len(s.dead) > 2*s.pruned+1024 {
		maps.DeleteFunc(s.dead, func(p int64, _ bool) bool { return p < s.in.offset })
		s.pruned = len(s.dead)
	}
}

// passLine passes a line of any length.
func (s *scanner) passLine() {
	for {
		text := s.in.text()
		n := untilLineEnd(text)
		s.in.pass(n)
		if n < len(text) || !s.in.more() {
			break
		}
	}
	s.line++
	s.passLineEnd()
}

// passLineEnd passes a line end if there is one, and reports whether there was.
func (s *scanner) passLineEnd() bool {
	for len(s.in.text()) < 2 && s.in.more() {
	}
	n := lineEnd(s.in.text(), 0)
	s.in.pass(n)
	return n > 0
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
	for i, c := range text {
		if c == '\n' || c == '\r' {
			return i
		}
	}
	return len(text)
}
