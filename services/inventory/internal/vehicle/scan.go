package vehicle

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scanner reads canonical JSON, as Vehicle.JSON writes it, from left to right. Its methods say false for what is not canonical and
// for what they leave to the slow path, which reads anything: numbers with exponents or of many digits, control characters written
// as \u00xx, deep nesting.
type scanner struct {
	text []byte
	pos  int
}

// maxDepth bounds the nesting that the scanner follows.
const maxDepth = 32

// maxDigits keeps numbers below 2^53 and so exact, as integers and as doubles.
const maxDigits = 15

// ordinary are the bytes that stand for themselves in a string.
var ordinary = func() (table [256]bool) {
	for b := range table {
		table[b] = b >= ' ' && b != '"' && b != '\\'
	}
	return table
}()

// token is a string or number in the text, a string without its quotes.
type token struct {
	Span
	escaped bool // a string with escapes
}

// next consumes one byte if it is b.
func (s *scanner) next(b byte) bool {
	if s.pos < len(s.text) && s.text[s.pos] == b {
		s.pos++
		return true
	}
	return false
}

// word consumes a literal.
func (s *scanner) word(w string) bool {
	if len(s.text)-s.pos >= len(w) && string(s.text[s.pos:s.pos+len(w)]) == w {
		s.pos += len(w)
		return true
	}
	return false
}

// peek is the next byte; 0 at the end.
func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) bytes(t token) []byte { return s.text[t.Start:t.End] }

// string consumes a string. That the text is UTF-8 is checked once for all of it.
func (s *scanner) string() (token, bool) {
	if !s.next('"') {
		return token{}, false
	}
	t := token{Span: Span{Start: uint32(s.pos)}}
	for i := s.skipOrdinary(s.pos); i < len(s.text); i = s.skipOrdinary(i) {
		switch b := s.text[i]; {
		case b == '"':
			t.End, s.pos = uint32(i), i+1
			return t, true
		case b == '\\' && i+1 < len(s.text) && isShortEscape(s.text[i+1]):
			t.escaped = true
			i += 2
		default:
			return token{}, false
		}
	}
	return token{}, false
}

func isShortEscape(b byte) bool {
	switch b {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return true
	default:
		return false
	}
}

// skipOrdinary finds the next byte that does not stand for itself in a string, eight at a time.
func (s *scanner) skipOrdinary(i int) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s.text); i += 8 {
		x := binary.LittleEndian.Uint64(s.text[i:])
		quote, backslash := x^each*'"', x^each*'\\'
		// A subtraction borrows into the high bit of bytes that are too small; those after the first may be wrong.
		if found := (x-each*' ')&^x&high | (quote-each)&^quote&high | (backslash-each)&^backslash&high; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(s.text) && ordinary[s.text[i]] {
		i++
	}
	return i
}

// plain consumes a string without escapes.
func (s *scanner) plain() ([]byte, bool) {
	t, ok := s.string()
	return s.bytes(t), ok && !t.escaped
}

// number consumes a number as Vehicle.JSON writes it and says whether it has a fraction.
func (s *scanner) number() (text []byte, fraction, ok bool) {
	start := s.pos
	s.next('-')
	first := s.pos
	digits := s.digits()
	whole := s.text[first:s.pos]
	if digits == 0 || digits > 1 && whole[0] == '0' {
		return nil, false, false
	}
	zero := digits == 1 && whole[0] == '0'
	if s.next('.') {
		from := s.pos
		n := s.digits()
		if n == 0 || len(bytes.Trim(s.text[from:s.pos], "0")) == 0 { // 25000.0 is written as an integer
			return nil, false, false
		}
		digits, fraction = digits+n, true
	}
	negativeZero := zero && !fraction && first > start
	if b := s.peek(); b == 'e' || b == 'E' || digits > maxDigits || negativeZero {
		return nil, false, false
	}
	return s.text[start:s.pos], fraction, true
}

func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.text) && s.text[s.pos]-'0' <= 9 {
		s.pos++
	}
	return s.pos - start
}

// value consumes any value.
func (s *scanner) value(depth int) bool {
	if depth == maxDepth {
		return false
	}
	switch s.peek() {
	case '"':
		_, ok := s.string()
		return ok
	case '{':
		return s.object(func([]byte) bool { return s.value(depth + 1) })
	case '[':
		return s.list(func() bool { return s.value(depth + 1) })
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		_, _, ok := s.number()
		return ok
	}
}

// object consumes an object whose names rise; member consumes the value of each.
func (s *scanner) object(member func(name []byte) bool) bool {
	if !s.next('{') {
		return false
	}
	if s.next('}') {
		return true
	}
	for before := []byte(nil); ; {
		name, ok := s.plain()
		if !ok || before != nil && bytes.Compare(before, name) >= 0 || !s.next(':') || !member(name) {
			return false
		}
		if s.next('}') {
			return true
		}
		if !s.next(',') {
			return false
		}
		before = name
	}
}

// list consumes a list; item consumes each of its values.
func (s *scanner) list(item func() bool) bool {
	if !s.next('[') {
		return false
	}
	if s.next(']') {
		return true
	}
	for {
		if !item() {
			return false
		}
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// layout is where the values of a vehicle stand in its canonical JSON, strings with their quotes.
type layout struct {
	known [numMembers]Span // by the contract's order; zero when absent
	// tail is where members after evidence begin, or would: at their comma or at the closing brace.
	tail uint32
}

// vehicle consumes a whole vehicle: known members in the contract's order, then others by name. known consumes the value of a
// known member; nil takes any value.
func (s *scanner) vehicle(at *layout, known func(s *scanner, member int) bool) bool {
	if len(s.text) > maxText || !utf8.Valid(s.text) || !s.next('{') {
		return false
	}
	next, extra := 0, []byte(nil)
	for first := true; !s.next('}'); first = false {
		comma := s.pos
		if !first && !s.next(',') {
			return false
		}
		name, ok := s.plain()
		if !ok || !s.next(':') {
			return false
		}
		member := memberFrom(next, name)
		if member < 0 {
			if Known(string(name)) || extra != nil && bytes.Compare(extra, name) >= 0 || !s.value(1) {
				return false
			}
			if extra == nil {
				at.tail = uint32(comma)
			}
			extra, next = name, numMembers
			continue
		}
		start := s.pos
		if known == nil && !s.value(1) || known != nil && !known(s, member) {
			return false
		}
		at.known[member], next = Span{uint32(start), uint32(s.pos)}, member+1
	}
	if extra == nil {
		at.tail = uint32(s.pos - 1)
	}
	return s.pos == len(s.text)
}

// maxText is far above what a broker takes and keeps positions within a Span.
const maxText = 1 << 30

// memberFrom finds a known member by name, from a place in the contract's order on; -1 when it is not there.
func memberFrom(place int, name []byte) int {
	for ; place < numMembers; place++ {
		if members[place] == string(name) {
			return place
		}
	}
	return -1
}
