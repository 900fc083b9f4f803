package feed

import (
	"math"
	"strings"
)

// amount is a number without sign, to the hundredth.
type amount struct {
	whole      int64
	hundredths int64
}

func (a amount) rounded() int64 {
	if a.hundredths >= 50 {
		return a.whole + 1
	}
	return a.whole
}

func (a amount) float() float64 { return float64(a.whole) + float64(a.hundredths)/100 }

// parsed says how the reading of an amount went.
type parsed int

const (
	isAmount parsed = iota
	isNoAmount
	isUnclear // digits whose separators can be read in more than one way, or in none
)

// maxDigits keeps amounts exact.
const maxDigits = 12

// parseAmount reads a number as people and programs write it in America and Europe: 24990, 24,990.50, 24.990,50, 24 990,50 and
// 24'990.50. A lone separator before exactly three digits divides thousands: nobody writes prices or distances to a thousandth. A K
// behind stands for thousands when what is before it cannot have been thousands already.
func parseAmount(text string) (amount, parsed) {
	digits, thousands := cutK(text)
	if a, ok := plainAmount(digits); ok && !thousands {
		return a, isAmount
	}
	var g groups
	if how := g.read(digits); how != isAmount {
		return amount{}, how
	}
	whole, fraction, ok := g.split()
	if !ok || len(whole) > maxDigits {
		return amount{}, isUnclear
	}
	a := amount{whole: atoi(whole)}
	switch len(fraction) {
	case 0:
	case 1:
		a.hundredths = atoi(fraction) * 10
	default:
		a.hundredths = atoi(fraction[:2])
	}
	if thousands {
		if len(whole) > 3 || len(fraction) > 2 {
			return amount{}, isUnclear
		}
		a = amount{whole: a.whole*1000 + a.hundredths*10}
	}
	return a, isAmount
}

// plainAmount reads digits alone, which most amounts are.
func plainAmount(text string) (amount, bool) {
	if text == "" || len(text) > maxDigits {
		return amount{}, false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return amount{}, false
		}
	}
	return amount{whole: atoi(text)}, true
}

func cutK(text string) (digits string, found bool) {
	if n := len(text); n > 0 && (text[n-1] == 'k' || text[n-1] == 'K') {
		return strings.TrimSpace(text[:n-1]), true
	}
	return text, false
}

// groups are the digits between separators.
type groups struct {
	digits     []string
	separators []byte // '.', ',', ' ' or '\''; one fewer than digits
}

func (g *groups) read(text string) parsed {
	start := 0
	for i, r := range text {
		if r >= '0' && r <= '9' {
			continue
		}
		mark := separatorMark(r)
		if mark == 0 {
			return isNoAmount
		}
		g.digits, g.separators = append(g.digits, text[start:i]), append(g.separators, mark)
		start = i + len(string(r))
	}
	g.digits = append(g.digits, text[start:])
	for _, d := range g.digits {
		if d == "" {
			if len(g.digits) == 1 {
				return isNoAmount
			}
			return isUnclear
		}
	}
	return isAmount
}

// separatorMark returns one mark for the forms of a separator; 0 for what is none.
func separatorMark(r rune) byte {
	switch r {
	case '.', ',':
		return byte(r)
	case ' ', '\u00a0', '\u2007', '\u2009', '\u202f':
		return ' '
	case '\'', '\u2019':
		return '\''
	}
	return 0
}

// split joins the groups before the decimal separator and returns the digits behind it; ok is false when it cannot be told which
// separator that is.
func (g *groups) split() (whole, fraction string, ok bool) {
	n := len(g.separators)
	if n == 0 {
		return g.digits[0], "", true
	}
	if last := g.separators[n-1]; last == '.' || last == ',' {
		alone := n == 1
		if isFraction(g.digits[n], alone && len(g.digits[0]) <= 3 && g.digits[0] != "0") && (alone || g.separators[n-2] != last) {
			whole, ok = g.thousands(n - 1)
			return whole, g.digits[n], ok
		}
	}
	whole, ok = g.thousands(n)
	return whole, "", ok
}

// isFraction says whether digits may stand behind a decimal separator: tenths, hundredths, or the zeros with which databases fill up.
func isFraction(digits string, maybeThousands bool) bool {
	if len(digits) <= 2 {
		return true
	}
	return strings.Trim(digits, "0") == "" && (len(digits) != 3 || !maybeThousands)
}

// thousands joins the groups before and behind the first n separators, which must be alike and divide thousands.
func (g *groups) thousands(n int) (whole string, ok bool) {
	if n == 0 {
		return g.digits[0], true
	}
	if len(g.digits[0]) > 3 || g.digits[0][0] == '0' {
		return "", false
	}
	for i := 1; i <= n; i++ {
		if len(g.digits[i]) != 3 || g.separators[i-1] != g.separators[0] {
			return "", false
		}
	}
	return strings.Join(g.digits[:n+1], ""), true
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// atoi reads at most maxDigits digits.
func atoi(digits string) (n int64) {
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return n
}

// kilometresPerMile is exact: a mile is 1609.344 m.
const kilometresPerMile = 1.609344

func toMiles(kilometres amount) int64 {
	return int64(math.Round(kilometres.float() / kilometresPerMile))
}
