package index

import (
	"cmp"
	"slices"
	"strings"
)

// maxDocs bounds a segment, so that its documents and their values can be numbered in 16 bits: half the memory, and no merge
// takes longer than a fraction of a second. noDoc is the number that no document has.
const (
	maxDocs = 1<<16 - 1
	noDoc   = 1<<16 - 1
)

// column says for one member which value each document of a segment has, and which documents have a value. Values are numbered
// in ascending order; one more ordinal stands for "no value".
type column struct {
	of    []uint16 // the ordinal, by document
	docs  []uint16 // by ordinal and then by document
	start []uint16 // docs[start[o]:start[o+1]] have ordinal o
}

// newColumn takes the ordinals of a segment's documents, 0 to values.
func newColumn(of []uint16, values int) column {
	c := column{of: of, docs: make([]uint16, len(of)), start: make([]uint16, values+2)}
	for _, o := range of {
		c.start[o+1]++
	}
	for o := range values + 1 {
		c.start[o+1] += c.start[o]
	}
	next := slices.Clone(c.start)
	for doc, o := range of {
		c.docs[next[o]] = uint16(doc)
		next[o]++
	}
	return c
}

// none is the ordinal of documents without a value, and the number of values.
func (c *column) none() int { return len(c.start) - 2 }

// having returns the documents with an ordinal from low up to, not including, high.
func (c *column) having(low, high int) []uint16 { return c.docs[c.start[low]:c.start[high]] }

// numberColumn is a column of numbers.
type numberColumn struct {
	column
	values []float64
}

// search returns the ordinal of the first value that is not below n, and whether it is n.
func (c *numberColumn) search(n float64) (int, bool) { return slices.BinarySearch(c.values, n) }

// textColumn is a column of folded texts.
type textColumn struct {
	column
	values texts
}

// termColumn is a column of texts that are counted as they are written.
type termColumn struct {
	textColumn
	spellings texts
	// spelling is the number in spellings by document, their count for none; nil when every value has one spelling, so that
	// ordinals are the numbers.
	spelling []uint16
	value    []uint16 // the ordinal by spelling; nil when spelling is
}

// spellingAt returns a spelling by its number.
func (c *termColumn) spellingAt(s int) spelling {
	value := s
	if c.value != nil {
		value = int(c.value[s])
	}
	return spelling{c.values.at(value), c.spellings.at(s)}
}

// spelled sets the spellings in order, and which of them the documents have unless every value has one.
func (c *termColumn) spelled(spellings []spelling, of []uint16) {
	written := make([]string, len(spellings))
	for i, s := range spellings {
		written[i] = s.written
	}
	c.spellings = newTexts(written)
	if len(spellings) == c.none() {
		return
	}
	c.spelling = of
	c.value = make([]uint16, len(spellings))
	for i, s := range spellings {
		value, _ := c.values.search(s.folded)
		c.value[i] = uint16(value)
	}
}

// spellingOf returns the number of a document's spelling.
func (c *termColumn) spellingOf(doc uint16) uint16 {
	if c.spelling == nil {
		return c.of[doc]
	}
	return c.spelling[doc]
}

// written returns a document's text; "" for none.
func (c *termColumn) written(doc uint16) string {
	if s := int(c.spellingOf(doc)); s < c.spellings.len() {
		return c.spellings.at(s)
	}
	return ""
}

// spelling is a text as it is written, and folded. Spellings are in the order of values, so that those of a value stand together.
type spelling struct{ folded, written string }

func (s spelling) compare(other spelling) int {
	return cmp.Or(strings.Compare(s.folded, other.folded), strings.Compare(s.written, other.written))
}
