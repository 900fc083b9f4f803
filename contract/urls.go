package contract

import "strings"

// IsPlainURL says whether a text is a URL of http or https by characters that need no look at the grammar: letters, digits, and
// hyphens and dots in the host, and also "/", "_", "~", "=", "&" and one "?" behind it. Nearly every photo of a listing has
// such an address; of any other it says nothing.
func IsPlainURL(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(text, "http://"); !ok {
			return false
		}
	}
	at := 0
	for at < len(rest) && (isAlphanumeric(rest[at]) || rest[at] == '-' || rest[at] == '.') {
		at++
	}
	if at == 0 || at < len(rest) && rest[at] != '/' {
		return false
	}
	inQuery := false
	for ; at < len(rest); at++ {
		switch c := rest[at]; {
		case isAlphanumeric(c):
		case c == '?' && !inQuery:
			inQuery = true
		case c != '/' && c != '-' && c != '.' && c != '_' && c != '~' && c != '=' && c != '&':
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool { return c-'0' <= 9 || (c|0x20)-'a' <= 'z'-'a' }
