package feed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sampleSize is how much of a file, from its first byte beyond ASCII, decides whether it is UTF-8.
const sampleSize = 64 << 10

// textReader reads a file as UTF-8, whatever it is in. A file with a byte order mark, or with NUL in one half of its first two
// characters, is what that says. Any other is ASCII up to a byte that is not, and what follows there decides: Windows-1252 when
// hardly anything is UTF-8, else UTF-8. So a UTF-8 file with a few broken bytes stays UTF-8: they are passed on and make their
// rows bad, and nothing else is garbled.
type textReader struct {
	in   *bufio.Reader
	rest io.Reader // set once the encoding is known
	// encoding is as in Feed.
	encoding string
	// sequences counts the UTF-8 in a file that is read as Windows-1252.
	sequences *sequenceCounter
}

func newTextReader(r io.Reader) (*textReader, error) {
	t := &textReader{in: bufio.NewReaderSize(r, sampleSize)}
	start, err := t.in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read feed: %w", err)
	}
	switch {
	case bytes.HasPrefix(start, []byte("\uFEFF")):
		_, _ = t.in.Discard(len("\uFEFF")) // which has been read
		t.rest = t.in
	case bytes.HasPrefix(start, []byte{0xFF, 0xFE}), isUTF16(start, 1):
		t.encoding, t.rest = "UTF-16LE", fromUTF16(t.in, unicode.LittleEndian)
	case bytes.HasPrefix(start, []byte{0xFE, 0xFF}), isUTF16(start, 0):
		t.encoding, t.rest = "UTF-16BE", fromUTF16(t.in, unicode.BigEndian)
	}
	return t, nil
}

// isUTF16 says whether a text begins with ASCII characters of two bytes, the one at zero being NUL.
func isUTF16(start []byte, zero int) bool {
	for ; len(start) >= 2; start = start[2:] {
		if start[zero] != 0 || start[1-zero] == 0 {
			return false
		}
		if len(start) < 4 {
			return true
		}
	}
	return false
}

func fromUTF16(r io.Reader, order unicode.Endianness) io.Reader {
	return transform.NewReader(r, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
}

// Read reads text in UTF-8.
func (t *textReader) Read(p []byte) (int, error) {
	if t.rest != nil {
		return t.rest.Read(p)
	}
	if len(p) == 0 {
		return 0, nil
	}
	if _, err := t.in.Peek(1); err != nil {
		return 0, err
	}
	buffered, _ := t.in.Peek(min(t.in.Buffered(), len(p)))
	if n := ascii(buffered); n > 0 {
		return t.in.Read(p[:n])
	}
	sample, err := t.in.Peek(sampleSize)
	if err != nil && err != io.EOF {
		return 0, err
	}
	t.decide(sample)
	return t.rest.Read(p)
}

func (t *textReader) decide(sample []byte) {
	var c sequenceCounter
	c.count(sample)
	if !c.isWindows1252() {
		t.rest = t.in
		return
	}
	t.encoding, t.sequences = "Windows-1252", new(sequenceCounter)
	t.rest = transform.NewReader(io.TeeReader(t.in, t.sequences), charmap.Windows1252.NewDecoder())
}

// isAmbiguous says whether a file that was read as Windows-1252 holds what looks like UTF-8.
func (t *textReader) isAmbiguous() bool { return t.sequences != nil && t.sequences.valid > 0 }

// ascii returns the length of the ASCII that a text begins with.
func ascii(text []byte) int {
	for i, c := range text {
		if c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// sequenceCounter counts the characters beyond ASCII that are valid UTF-8, and the bytes that are not.
type sequenceCounter struct {
	valid, invalid int
	cut            []byte // the beginning of a character at the end of what was written
}

// Write counts a part of a text; it never fails.
func (c *sequenceCounter) Write(p []byte) (int, error) {
	text := p
	if len(c.cut) > 0 {
		text = append(c.cut, p...)
	}
	c.cut = bytes.Clone(c.count(text))
	return len(p), nil
}

// count returns the end of the text that may be a part of a character.
func (c *sequenceCounter) count(text []byte) (cut []byte) {
	for {
		text = text[ascii(text):]
		if !utf8.FullRune(text) {
			return text
		}
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			c.invalid++
		} else {
			c.valid++
		}
		text = text[n:]
	}
}

// isWindows1252 allows for what looks like a character in UTF-8 by chance, such as É before a closing quotation mark.
func (c *sequenceCounter) isWindows1252() bool { return c.invalid > 10*c.valid }
