package index

import (
	"encoding/binary"
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
	start := len(dst)
	dst = append(dst, s...)
	text := dst[start:]
	i := 0
	for ; i+8 <= len(text); i += 8 {
		eight := binary.LittleEndian.Uint64(text[i:])
		if eight&highBits != 0 {
			break
		}
		binary.LittleEndian.PutUint64(text[i:], lowerEight(eight))
	}
	for ; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return append(dst[:start+i], strings.Map(foldRune, s[i:])...)
		}
		if 'A' <= text[i] && text[i] <= 'Z' {
			text[i] += 'a' - 'A'
		}
	}
	return dst
}

const (
	ones     = 0x0101010101010101
	highBits = 0x80 * ones
)

// lowerEight maps eight ASCII letters to lower case. Adding to a byte sets its high bit when it is at or behind a letter.
func lowerEight(eight uint64) uint64 {
	fromA, behindZ := eight+(0x80-'A')*ones, eight+(0x80-'Z'-1)*ones
	return eight | (fromA&^behindZ&highBits)>>2
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
