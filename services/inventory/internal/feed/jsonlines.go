package feed

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

var (
	errOneObject = errors.New("the file holds one JSON object; a JSON feed is an array of vehicles, or has one vehicle on each line (JSON Lines)")
	brokenLine   = bad("the line is not a JSON object", "Write every vehicle as one JSON object on one line.")
)

// readJSONLines reads one vehicle in the contract's own shape from each line. A line that is none is a bad row. An object that
// goes over several lines, or that holds the vehicles, is refused: nothing in it could be a row.
func (b *builder) readJSONLines(in *window) error {
	b.feed.Dialect = dialectAAP
	lines := lineReader{scanner: newScanner(in, 0)}
	first, _ := lines.next()
	second, hasSecond := lines.next()
	if !startsRow(first, second) || isWrapper(first.text) {
		return errOneObject
	}
	b.addAll(func(add func(size int, row rowFunc)) {
		addLine := func(l jsonLine) { add(len(l.text), func(b *builder) { b.addLine(l) }) }
		addLine(first)
		for l, ok := second, hasSecond; ok; l, ok = lines.next() {
			addLine(l)
		}
	})
	return in.err
}

// startsRow says whether the first line that begins with "{" can be a row: it is whole, or at least the next line is another one.
func startsRow(first, second jsonLine) bool {
	return jsontext.Value(first.text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) ||
		bytes.HasPrefix(second.text, []byte("{"))
}

// isWrapper says whether an object names no vehicle and holds an array of objects.
func isWrapper(text []byte) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	for _, name := range []string{"vehicle_id", "vin", "stock"} {
		if _, ok := members[name]; ok {
			return false
		}
	}
	for _, value := range members {
		var list []map[string]json.RawMessage
		if json.Unmarshal(value, &list) == nil && len(list) > 0 {
			return true
		}
	}
	return false
}

func (b *builder) addLine(l jsonLine) {
	switch {
	case l.tooLong:
		b.reject(l.line, "", tooLongLine)
	case !bytes.HasPrefix(l.text, []byte("{")):
		b.reject(l.line, "", brokenLine)
	default:
		b.addAAP(l.line, l.text)
	}
}

// jsonLine is a line that is not blank, without white space around it.
type jsonLine struct {
	line    int
	text    []byte
	tooLong bool
}

// lineReader reads lines of bounded length.
type lineReader struct{ *scanner }

// next returns the next line that is not blank; ok is false at the end.
func (r lineReader) next() (l jsonLine, ok bool) {
	for len(r.in.text()) > 0 || r.in.more() {
		l = jsonLine{line: r.line}
		n := untilLineEnd(r.in.text())
		for n == len(r.in.text()) && n < maxRecord && r.in.more() {
			n += untilLineEnd(r.in.text()[n:])
		}
		if l.tooLong = n >= maxRecord; !l.tooLong {
			l.text = bytes.Clone(bytes.TrimSpace(r.in.text()[:n]))
		}
		r.passLine()
		if l.tooLong || len(l.text) > 0 {
			return l, true
		}
	}
	return jsonLine{}, false
}
