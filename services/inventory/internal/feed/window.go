package feed

import (
	"fmt"
	"io"
)

// window is the part of a text that is being read. It grows when somebody needs to look further ahead.
type window struct {
	r    io.Reader
	buf  []byte // what it holds begins at the start of buf
	from int    // what is before has been passed
	// offset is the place of buf[from] in the text.
	offset int64
	ended  bool
	err    error // why the text ended early
}

func newWindow(r io.Reader) *window { return &window{r: r, buf: make([]byte, 0, 64<<10)} }

// text returns what is read and not passed. It is valid until more is called.
func (w *window) text() []byte { return w.buf[w.from:] }

// more reads on, and reports whether there was more. Each call on which it reads without a pass doubles what the window can hold.
func (w *window) more() bool {
	if w.ended {
		return false
	}
	held := w.text()
	if 2*len(held) > cap(w.buf) {
		w.buf = append(make([]byte, 0, 2*cap(w.buf)), held...)
	} else {
		w.buf = w.buf[:copy(w.buf[:cap(w.buf)], held)]
	}
	w.from = 0
	n, err := io.ReadFull(w.r, w.buf[len(w.buf):cap(w.buf)])
	w.buf = w.buf[:len(w.buf)+n]
	if err != nil {
		w.ended = true
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		w.err = fmt.Errorf("read feed: %w", err)
	}
	return n > 0
}

// pass moves on by n bytes of the text.
func (w *window) pass(n int) {
	w.from += n
	w.offset += int64(n)
}
