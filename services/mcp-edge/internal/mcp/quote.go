package mcp

import "slices"

// plain marks the bytes that stand for themselves in a JSON string. Bytes of multi-byte characters do, U+2028 and U+2029
// included: JSON text need not be JavaScript.
var plain = func() (table [256]bool) {
	for c := range table {
		table[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return table
}()

// appendQuoted appends JSON text as a JSON string. The text is valid UTF-8, because it is a payload that has been validated.
func appendQuoted(dst, text []byte) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/4+2) // JSON has a quote for every eight bytes or so
	dst = append(dst, '"')
	start := 0
	for i, c := range text {
		if plain[c] {
			continue
		}
		dst = append(dst, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			const digits = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xf])
		}
	}
	dst = append(dst, text[start:]...)
	return append(dst, '"')
}
