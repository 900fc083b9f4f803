package index

import (
	"math/bits"
	"slices"
)

// docSet is a set of a segment's documents.
type docSet [(maxDocs + 1) / 64]uint64

func (s *docSet) add(docs []uint16) {
	for _, doc := range docs {
		s[doc/64] |= 1 << (doc % 64)
	}
}

func (s *docSet) has(doc uint16) bool { return s[doc/64]&(1<<(doc%64)) != 0 }

// appendTo lists the documents in ascending order.
func (s *docSet) appendTo(docs []uint16) []uint16 { return appendDocs(docs, s[:]) }

func appendDocs(docs []uint16, set []uint64) []uint16 {
	for i, word := range set {
		for ; word != 0; word &= word - 1 {
			docs = append(docs, uint16(i*64+bits.TrailingZeros64(word)))
		}
	}
	return docs
}

// sort sorts different documents, which are less than n. What is in the set is lost.
func (s *docSet) sort(docs []uint16, n int) {
	used := s[:n/64+1]
	switch {
	case slices.IsSorted(docs):
	case len(docs) < len(used):
		slices.Sort(docs)
	default: // cheaper than to compare
		clear(used)
		s.add(docs)
		appendDocs(docs[:0], used)
	}
}

// graves are the documents of a segment that are replaced or removed. A value is never changed: bury returns another that shares
// all but one plot with it, so that a view keeps its own and a change copies little.
type graves struct {
	plots [len(docSet{}) / plotWords]*[plotWords]uint64
	count int
}

const plotWords = 64 // 4096 documents

func (g *graves) has(doc uint16) bool {
	plot := g.plots[doc/(64*plotWords)]
	return plot != nil && plot[doc/64%plotWords]&(1<<(doc%64)) != 0
}

// bury returns the graves with one more document, which is not among them.
func (g *graves) bury(doc uint16) graves {
	more := *g
	plot := new([plotWords]uint64)
	if old := g.plots[doc/(64*plotWords)]; old != nil {
		*plot = *old
	}
	plot[doc/64%plotWords] |= 1 << (doc % 64)
	more.plots[doc/(64*plotWords)] = plot
	more.count++
	return more
}

// all yields the documents in ascending order.
func (g *graves) all(yield func(uint16) bool) {
	for p, plot := range g.plots {
		if plot == nil {
			continue
		}
		for i, word := range plot {
			for ; word != 0; word &= word - 1 {
				if !yield(uint16((p*plotWords+i)*64 + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}

// living drops the buried documents from a list, in place.
func (g *graves) living(docs []uint16) []uint16 {
	if g.count == 0 {
		return docs
	}
	kept := docs[:0]
	for _, doc := range docs {
		if !g.has(doc) {
			kept = append(kept, doc)
		}
	}
	return kept
}

// within counts the buried documents that match.
func (g *graves) within(c clause) int {
	n := 0
	for doc := range g.all {
		if c.has(doc) {
			n++
		}
	}
	return n
}
