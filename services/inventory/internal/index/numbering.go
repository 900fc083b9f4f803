package index

import (
	"slices"
	"sync"
)

// numbering numbers different texts in the order of their appearance. It is a hash table that keeps its memory from one use to the
// next: every word of every listing passes through it.
type numbering struct {
	slots    []uint32 // a number, counted from 1, at or behind the place of its text's hash; a power of two
	distinct []string
}

const fewestSlots = 64

func newNumbering() numbering { return numbering{slots: make([]uint32, fewestSlots)} }

var numberings = sync.Pool{New: func() any { n := newNumbering(); return &n }}

// reset forgets all texts.
func (n *numbering) reset() {
	n.slots = n.slots[:fewestSlots]
	clear(n.slots)
	clear(n.distinct)
	n.distinct = n.distinct[:0]
}

// of returns the number of a text.
func (n *numbering) of(text string) uint32 {
	if 2*len(n.distinct) >= len(n.slots) {
		n.grow()
	}
	slot := n.slot(text)
	if *slot == 0 {
		n.distinct = append(n.distinct, text)
		*slot = uint32(len(n.distinct))
	}
	return *slot - 1
}

// slot returns where the number of a text is, or is to be.
func (n *numbering) slot(text string) *uint32 {
	mask := uint64(len(n.slots) - 1)
	for at := hashOf(text) & mask; ; at = (at + 1) & mask {
		if number := n.slots[at]; number == 0 || n.distinct[number-1] == text {
			return &n.slots[at]
		}
	}
}

func (n *numbering) grow() {
	size := 4 * len(n.slots)
	n.slots = slices.Grow(n.slots[:0], size)[:size]
	clear(n.slots)
	for i, text := range n.distinct {
		*n.slot(text) = uint32(i + 1)
	}
}

// sorted returns the texts in order, and the place of each by its number.
func (n *numbering) sorted() (texts []string, places []uint32) {
	texts, places = slices.Clone(n.distinct), make([]uint32, len(n.distinct))
	slices.Sort(texts)
	for place, text := range texts {
		places[*n.slot(text)-1] = uint32(place)
	}
	return texts, places
}
