package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps a text so that two texts fold to the same bytes exactly when they are equal under Unicode simple case folding
// (strings.EqualFold), in lower case where there is one.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s)
}

// appendFold appends the folded text.
func appendFold(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			return append(dst, strings.Map(foldRune, s[i:])...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// foldRune returns one rune for all that are equal to r: the lower case of the smallest, unless that is another letter, as the
// lower case of the dotted capital I is.
func foldRune(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	lower := unicode.ToLower(smallest)
	for next := unicode.SimpleFold(smallest); next != smallest; next = unicode.SimpleFold(next) {
		if next == lower {
			return lower
		}
	}
	return smallest
}
