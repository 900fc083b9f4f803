package index

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fold maps a text so that two texts fold to the same bytes exactly when they are equal under Unicode simple case folding
// (strings.EqualFold). ASCII becomes lower case.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(foldRune, s)
		}
	}
	return strings.ToLower(s)
}

// foldRune returns the smallest rune of r's case orbit, in lower case when that is ASCII.
func foldRune(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	if 'A' <= smallest && smallest <= 'Z' {
		return smallest + 'a' - 'A'
	}
	return smallest
}
