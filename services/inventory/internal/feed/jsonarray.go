package feed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

var tooLargeElement = bad(fmt.Sprintf("the element is larger than %d KiB", maxRecord>>10), "Shorten its longest members.")

// readArray reads a JSON array of vehicles in the contract's own shape. A text that is not JSON is refused whole; an element that
// is no good vehicle is a problem of its own.
func (b *builder) readArray(in *window) (err error) {
	b.feed.Dialect = dialectAAP
	text := &jsonText{in: in, lines: lineCounter{line: 1}}
	// Duplicate names and broken UTF-8 are the fault of one element, found when it is decoded.
	text.dec = jsontext.NewDecoder(text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := text.dec.ReadToken(); err != nil {
		return text.fault(err)
	}
	b.addAll(func(add func(size int, row rowFunc)) {
		for n := 1; err == nil && text.dec.PeekKind() != ']'; n++ {
			err = text.readElement(func(line int, element []byte) {
				add(len(element), func(b *builder) {
					b.element = n
					if element == nil {
						b.reject(line, "", tooLargeElement)
						return
					}
					b.addAAP(line, element)
				})
			})
		}
	})
	if err != nil {
		return err
	}
	if _, err := text.dec.ReadToken(); err != nil {
		return text.fault(err)
	}
	if _, err := text.dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("the file goes on after the JSON array, line %d", text.lines.at(text.dec.InputOffset()))
	}
	return in.err
}

// jsonText is a file that a decoder reads, bounded to what a value may hold beyond what the decoder has passed.
type jsonText struct {
	in    *window
	dec   *jsontext.Decoder
	lines lineCounter
}

var errTooLarge = errors.New("a JSON value is larger than a record may be")

// Read is for the decoder.
func (t *jsonText) Read(p []byte) (int, error) {
	ahead := t.in.offset - t.dec.InputOffset()
	if ahead >= maxRecord {
		return 0, errTooLarge
	}
	if len(t.in.text()) == 0 && !t.in.more() {
		if t.in.err != nil {
			return 0, t.in.err
		}
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), maxRecord-ahead)], t.in.text())
	t.lines.add(t.in.offset, p[:n])
	t.in.pass(n)
	return n, nil
}

// readElement reads the next element of an array and the line that it begins in. The element is nil when it is too large.
func (t *jsonText) readElement(add func(line int, element []byte)) error {
	element, err := t.dec.ReadValue()
	if errors.Is(err, errTooLarge) {
		line := t.lines.at(t.start())
		if err := t.dec.SkipValue(); err != nil {
			return t.fault(err)
		}
		add(line, nil)
		return nil
	}
	if err != nil {
		return t.fault(err)
	}
	add(t.lines.at(t.dec.InputOffset()-int64(len(element))), bytes.Clone(element))
	return nil
}

// start is where the next element begins.
func (t *jsonText) start() int64 {
	unread := t.dec.UnreadBuffer()
	return t.dec.InputOffset() + int64(len(unread)-len(bytes.TrimLeft(unread, " \t\r\n,")))
}

// fault keeps the place and drops the library's text, which may quote the input.
func (t *jsonText) fault(err error) error {
	at := t.in.offset
	var syntax *jsontext.SyntacticError
	switch {
	case t.in.err != nil:
		return t.in.err
	case errors.Is(err, errTooLarge):
		return fmt.Errorf("a JSON text at line %d is larger than %d KiB; nothing was imported", t.lines.at(t.dec.InputOffset()), maxRecord>>10)
	case errors.As(err, &syntax):
		at = syntax.ByteOffset
	}
	return fmt.Errorf("the file is not valid JSON, at line %d; nothing was imported", t.lines.at(at))
}
