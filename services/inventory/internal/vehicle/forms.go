package vehicle

import (
	"bytes"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"forecourt.internal/contract"
)

// isVIN is the contract's pattern: 17 capital letters and digits, without I, O and Q.
func isVIN(text []byte) bool {
	for _, b := range text {
		if !(b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' && b != 'I' && b != 'O' && b != 'Q') {
			return false
		}
	}
	return len(text) == 17
}

// isDate takes the days that every month has; the slow path knows the others.
func isDate(text []byte) bool {
	if len(text) != len("2006-01-02") || text[4] != '-' || text[7] != '-' {
		return false
	}
	_, yearOK := digits(text[:4])
	month, monthOK := digits(text[5:7])
	day, dayOK := digits(text[8:])
	return yearOK && monthOK && dayOK && month >= 1 && month <= 12 && day >= 1 &&
		(day <= 28 || day <= 30 && month != 2 || day == 31 && (month%2 == 1) == (month < 8))
}

func digits(text []byte) (n int, ok bool) {
	for _, b := range text {
		if b-'0' > 9 {
			return 0, false
		}
		n = 10*n + int(b-'0')
	}
	return n, true
}

func isTime(text []byte) bool {
	_, ok := contract.ParseTime(view(text))
	return ok
}

// integer consumes an integer between min and max; max 0 is no bound.
func (s *scanner) integer(min, max int64) bool {
	text, fraction, ok := s.number()
	if !ok || fraction {
		return false
	}
	n, err := strconv.ParseInt(view(text), 10, 64)
	return err == nil && n >= min && (max == 0 || n <= max)
}

// inURI are the bytes after the host that need no second look: with them every text is a URI.
var inURI = func() (table [256]bool) {
	for b := range table {
		table[b] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || bytes.IndexByte([]byte("/-._~?=&+,;:@!$()*"), byte(b)) >= 0
	}
	return table
}()

// uri consumes a web address of the usual form: a scheme, a name as host, no port, and bytes of inURI or %XX after it.
func (s *scanner) uri() bool {
	text, ok := s.plain()
	if !ok {
		return false
	}
	rest, isHTTPS := bytes.CutPrefix(text, []byte("https://"))
	if !isHTTPS {
		if rest, ok = bytes.CutPrefix(text, []byte("http://")); !ok {
			return false
		}
	}
	host := 0
	for host < len(rest) && inHost(rest[host]) {
		host++
	}
	if host == 0 || host < len(rest) && rest[host] != '/' && rest[host] != '?' {
		return false
	}
	for i := host; i < len(rest); i++ {
		switch {
		case inURI[rest[i]]:
		case rest[i] == '%' && i+2 < len(rest) && isHex(rest[i+1]) && isHex(rest[i+2]):
			i += 2
		default:
			return false
		}
	}
	return true
}

func inHost(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '.'
}

func isHex(b byte) bool { return b-'0' <= 9 || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }

// maxFees bounds the search for two of one name; longer lists are left to the slow path.
const maxFees = 16

// fees consumes a list of fees, each {"amount":…,"name":…}, of different names.
func (s *scanner) fees() bool {
	var names [maxFees][]byte
	n := 0
	return s.list(func() bool {
		if n == maxFees || !s.word(`{"amount":`) || !s.integer(0, 0) || !s.word(`,"name":`) {
			return false
		}
		name, ok := s.plain()
		if length := utf8.RuneCount(name); !ok || length < 1 || length > 120 || !s.next('}') {
			return false
		}
		for _, earlier := range names[:n] {
			if bytes.Equal(earlier, name) {
				return false
			}
		}
		names[n] = name
		n++
		return true
	})
}

// attribute consumes a scalar that is not null, or a list of such.
func (s *scanner) attribute() bool {
	switch s.peek() {
	case '[':
		return s.list(func() bool { return s.peek() != '[' && s.attribute() })
	case '{', 'n':
		return false
	default:
		return s.value(maxDepth - 1)
	}
}

// view is the text as a string without a copy. The bytes must never change while the string is used.
func view(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }
