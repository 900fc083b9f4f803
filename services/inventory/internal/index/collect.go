package index

import (
	"slices"
	"strings"
	"sync"
)

// collector collects the words of documents. Many lines, such as features and colours, occur in many listings: their words are
// remembered, so that a line costs one look instead of one for each word. It keeps its memory from one use to the next.
type collector struct {
	words numbering
	last  []uint16 // by word: the document that had it last, and one more

	lines   numbering
	inLines []uint32 // the words of all remembered lines
	ends    []uint32 // by line: where its words end in inLines

	found []posting
}

type posting struct {
	word uint32
	doc  uint16
}

// longestLine is the length in bytes up to which lines are expected to come again.
const longestLine = 48

var collectors = sync.Pool{New: func() any { return &collector{words: newNumbering(), lines: newNumbering()} }}

// wordsOf indexes the words of entries.
func wordsOf(entries []*entry) wordIndex {
	c := collectors.Get().(*collector)
	defer collectors.Put(c)
	for doc, e := range entries {
		for line := range strings.Lines(e.words) {
			if len(line) > longestLine {
				for word := range strings.FieldsSeq(line) {
					c.add(c.words.of(word), uint16(doc))
				}
				continue
			}
			for _, word := range c.line(line) {
				c.add(word, uint16(doc))
			}
		}
	}
	x := c.index()
	c.reset() // the texts are let go
	return x
}

// line returns the words of a line.
func (c *collector) line(text string) []uint32 {
	l := int(c.lines.of(text))
	if l == len(c.ends) {
		for word := range strings.FieldsSeq(text) {
			c.inLines = append(c.inLines, c.words.of(word))
		}
		c.ends = append(c.ends, uint32(len(c.inLines)))
	}
	start := uint32(0)
	if l > 0 {
		start = c.ends[l-1]
	}
	return c.inLines[start:c.ends[l]]
}

// add notes that a document has a word; documents ascend.
func (c *collector) add(word uint32, doc uint16) {
	for int(word) >= len(c.last) {
		c.last = append(c.last, 0)
	}
	if c.last[word] != doc+1 {
		c.last[word] = doc + 1
		c.found = append(c.found, posting{word, doc})
	}
}

func (c *collector) index() wordIndex {
	words, places := c.words.sorted()
	start := make([]uint32, len(words)+1)
	for _, p := range c.found {
		start[places[p.word]+1]++
	}
	for w := range words {
		start[w+1] += start[w]
	}
	next := slices.Clone(start)
	docs := make([]uint16, len(c.found))
	for _, p := range c.found {
		w := places[p.word]
		docs[next[w]] = p.doc
		next[w]++
	}
	return newWordIndex(newTexts(words), docs, start)
}

func (c *collector) reset() {
	c.words.reset()
	c.lines.reset()
	c.last, c.inLines, c.ends, c.found = c.last[:0], c.inLines[:0], c.ends[:0], c.found[:0]
}
