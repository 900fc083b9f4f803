package feed

import "strings"

// Arenas keep the texts of rows side by side: a million of them one by one would cost half as much again, and the garbage
// collector would visit each.

// maxChunk is the size of an arena's chunks once it holds more than that. The last chunk is all that can be empty.
const maxChunk = 1 << 20

func chunkSize(held, needed int) int { return max(min(held, maxChunk), 4<<10, needed) }

// arena keeps bytes.
type arena struct {
	chunk []byte
	held  int // in all chunks
}

// keep returns a copy; nil stays nil.
func (a *arena) keep(text []byte) []byte {
	if text == nil {
		return nil
	}
	if len(text) > cap(a.chunk)-len(a.chunk) {
		a.chunk = make([]byte, 0, chunkSize(a.held, len(text)))
	}
	start := len(a.chunk)
	a.chunk = append(a.chunk, text...)
	a.held += len(text)
	return a.chunk[start:len(a.chunk):len(a.chunk)]
}

// textArena keeps strings.
type textArena struct {
	chunk strings.Builder
	held  int
}

// keep returns a copy.
func (a *textArena) keep(text string) string {
	if len(text) > a.chunk.Cap()-a.chunk.Len() {
		a.chunk.Reset()
		a.chunk.Grow(chunkSize(a.held, len(text)))
	}
	start := a.chunk.Len()
	a.chunk.WriteString(text)
	a.held += len(text)
	return a.chunk.String()[start:]
}
