package feed

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parseText reads a text of one line, with entities decoded.
func parseText(text string) (any, *badValue) {
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	if clean := cleanText(text); !isAbsent(clean) {
		return clean, nil
	}
	return nil, nil
}

// parseEnum reads a text that may be the name of a constant, such as PLUGIN_HYBRID, which becomes words. OTHER says nothing.
func parseEnum(text string) (any, *badValue) {
	if strings.ToUpper(text) != text || len(text) < 2 {
		return parseText(text)
	}
	if text == "OTHER" || text == "UNKNOWN" {
		return nil, nil
	}
	if words, ok := constants[text]; ok {
		return words, nil
	}
	words := strings.Fields(strings.ReplaceAll(text, "_", " "))
	for i, word := range words {
		words[i] = word[:1] + strings.ToLower(word[1:])
	}
	return parseText(strings.Join(words, " "))
}

// constants are those that are not read word by word.
var constants = map[string]string{
	"SUV": "SUV", "MPV": "MPV", "AWD": "AWD", "FWD": "FWD", "RWD": "RWD", "4X4": "4x4", "4X2": "4x2", "4WD": "4WD", "2WD": "2WD", "CVT": "CVT", "CNG": "CNG",
	"LPG": "LPG", "PLUGIN_HYBRID": "Plug-in Hybrid", "PLUG_IN_HYBRID": "Plug-in Hybrid", "FLEX": "Flex Fuel",
	"SPORTSCAR": "Sports Car", "SUPERCAR": "Supercar", "GRANDTOURER": "Grand Tourer", "PICKUP": "Pickup",
}

// parseDescription reads a text of several lines that may be HTML.
func parseDescription(text string) (any, *badValue) {
	if clean := cleanLines(htmlToText(text)); !isAbsent(clean) {
		return clean, nil
	}
	return nil, nil
}

// cleanText drops control characters and puts one space between words.
func cleanText(s string) string {
	if isClean(s) {
		return s
	}
	return strings.Join(strings.Fields(printable(s)), " ")
}

// isClean says whether a text, as most are, is ASCII words with one space between them.
func isClean(s string) bool {
	before := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' '
}

// cleanLines is cleanText line by line; empty lines go.
func cleanLines(s string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(s, "\r", "\n")) {
		if line = cleanText(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// printable drops control characters, and the marks without width that files and web pages leave in what is copied from them: they
// would make another stock number of one that looks the same.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\uFEFF' || r == '\u200B' {
			return -1
		}
		return r
	}, s)
}

// htmlToText keeps what a reader of the page would see: entities decoded, block elements on lines of their own, scripts and
// styles gone. Text without markup stays as it is.
func htmlToText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	var out strings.Builder
	tokens := html.NewTokenizer(strings.NewReader(s))
	hidden := 0
	for {
		switch tokens.Next() {
		case html.ErrorToken: // the end; the tokenizer takes any text
			return out.String()
		case html.TextToken:
			if hidden == 0 {
				out.Write(tokens.Text())
			}
		case html.StartTagToken:
			name := tagOf(tokens)
			if isHidden(name) {
				hidden++
			}
			breakLine(&out, name)
		case html.SelfClosingTagToken:
			breakLine(&out, tagOf(tokens))
		case html.EndTagToken:
			name := tagOf(tokens)
			if isHidden(name) && hidden > 0 {
				hidden--
			}
			breakLine(&out, name)
		}
	}
}

func tagOf(tokens *html.Tokenizer) atom.Atom {
	name, _ := tokens.TagName()
	return atom.Lookup(name)
}

func isHidden(a atom.Atom) bool { return a == atom.Script || a == atom.Style }

func breakLine(out *strings.Builder, a atom.Atom) {
	switch a {
	case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table, atom.Hr, atom.Section, atom.Article,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote:
		out.WriteByte('\n')
	case atom.Td, atom.Th:
		out.WriteByte(' ')
	}
}
