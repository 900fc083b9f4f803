package feed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// attempt is the reading of one record as if it were well-formed.
type attempt struct {
	*scanner
	text   []byte // that the record begins
	values []span
	opened []int // the places of the opening quotes
	lines  int   // on which the record is so far
	// crossing is the number of values before the one that goes over the end of the first line.
	crossing int
	// sloppy says that there is a quote inside a value that is not doubled.
	sloppy bool
	// cut says that the record may go on behind the text.
	cut bool
}

// span is where a value stands, without the quotes around it.
type span struct {
	start, end int
	isQuoted   bool
}

// read reads values up to the end of the record and returns its place; ok is false when a quote is not closed within the text, or
// when the text ends before it is known.
func (a *attempt) read(s *scanner, text []byte) (end int, ok bool) {
	*a = attempt{scanner: s, text: text, values: a.values[:0], opened: a.opened[:0], lines: 1}
	for at := 0; ; at++ {
		at += a.spaces(at)
		start := at
		if at < len(text) && text[at] == quote {
			if at, ok = a.quoted(start); !ok {
				return 0, false
			}
			a.values = append(a.values, span{start + 1, at - 1, true})
		} else {
			for at < len(text) && text[at] != s.delimiter && text[at] != '\n' && text[at] != '\r' {
				at++
			}
			a.values = append(a.values, span{start, at, false})
		}
		if a.isCut(at) {
			return 0, false
		}
		if at == len(text) || text[at] != s.delimiter {
			return at, true
		}
	}
}

// isCut says whether the text ends at a place though the file goes on.
func (a *attempt) isCut(at int) bool {
	a.cut = at == len(a.text) && !(a.in.ended && len(a.text) == len(a.in.text()))
	return a.cut
}

// quoted returns the place after the quote that closes the value whose opening quote is at open.
func (a *attempt) quoted(open int) (end int, ok bool) {
	a.opened = append(a.opened, open)
	isDead := len(a.dead) > 0 && a.dead[a.in.offset+int64(open)]
	if a.lines > 1 && isDead {
		return 0, false
	}
	for at := open + 1; ; at++ {
		for at < len(a.text) && a.text[at] != quote && a.text[at] != '\n' && a.text[at] != '\r' {
			at++
		}
		if at == len(a.text) {
			a.isCut(at)
			return 0, false
		}
		if n := lineEnd(a.text, at); n > 0 {
			if a.sloppy || isDead || a.lines == maxRecordLines {
				return 0, false
			}
			a.cross()
			at += n - 1
			continue
		}
		switch next := at + 1; {
		case a.isCut(next):
			return 0, false
		case next == len(a.text) || a.text[next] == a.delimiter || lineEnd(a.text, next) > 0:
			return next, true
		case a.text[next] == quote:
			at = next
		case a.lines > 1:
			return 0, false
		default:
			a.sloppy = true
		}
	}
}

func (a *attempt) cross() {
	if a.lines == 1 {
		a.crossing = len(a.values)
	}
	a.lines++
}

// texts returns the first n values. They share one string.
func (a *attempt) texts(n int) []string {
	if n == 0 {
		return nil
	}
	all := string(a.text[:a.values[n-1].end])
	texts := make([]string, n)
	for i, v := range a.values[:n] {
		texts[i] = all[v.start:v.end]
		if v.isQuoted {
			texts[i] = strings.ReplaceAll(texts[i], `""`, `"`)
		}
	}
	return texts
}

// spaces returns the length of the white space at a place, up to a delimiter or a line end.
func (a *attempt) spaces(from int) int {
	at := from
	for at < len(a.text) && a.text[at] != a.delimiter && a.text[at] != '\n' && a.text[at] != '\r' {
		r, n := rune(a.text[at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(a.text[at:])
		}
		if !unicode.IsSpace(r) {
			break
		}
		at += n
	}
	return at - from
}
