package index

import (
	"cmp"
	"math/bits"
	"slices"
)

// clause is a filter on one segment.
type clause interface {
	// size is how many documents match, buried ones included; at most that for free text.
	size() int
	// list appends the documents that match, each once, in no order.
	list(docs []uint16, s *scratch) []uint16
	// keep drops the documents that do not match, in place.
	keep(docs []uint16, s *scratch) []uint16
	has(doc uint16) bool
}

// clauses turns the filters into those of a segment, the smallest first. It is not ok when one matches nothing.
func (p *part) clauses(filters []filter) (all []clause, ok bool) {
	for _, f := range filters {
		c := f.on(p)
		if c.size() == 0 {
			return nil, false
		}
		all = append(all, c)
	}
	slices.SortStableFunc(all, func(a, b clause) int { return cmp.Compare(a.size(), b.size()) })
	return all, true
}

// find returns the living documents that match all clauses, in no order, in memory of s.
func (p *part) find(clauses []clause, s *scratch) []uint16 {
	docs := s.docs[:0]
	if len(clauses) == 0 {
		for doc := range p.len() {
			docs = append(docs, uint16(doc))
		}
	} else {
		docs = clauses[0].list(docs, s)
		s.visited += len(docs)
		for _, c := range clauses[1:] {
			docs = c.keep(docs, s)
		}
	}
	s.docs = docs
	return p.graves.living(docs)
}

// inSpan matches the documents with an ordinal from low up to, not including, high.
type inSpan struct {
	column    *column
	low, high int
}

func (c inSpan) size() int { return len(c.column.having(c.low, c.high)) }

func (c inSpan) list(docs []uint16, _ *scratch) []uint16 {
	return append(docs, c.column.having(c.low, c.high)...)
}

func (c inSpan) has(doc uint16) bool { o := int(c.column.of[doc]); return c.low <= o && o < c.high }

func (c inSpan) keep(docs []uint16, _ *scratch) []uint16 {
	of, low, span := c.column.of, uint(c.low), uint(c.high-c.low)
	kept := 0
	for _, doc := range docs {
		docs[kept] = doc              // before it is known, so that there is no branch to mispredict
		if uint(of[doc])-low < span { // a smaller one wraps around
			kept++
		}
	}
	return docs[:kept]
}

// anyOf matches the documents with any of the ordinals, which ascend.
type anyOf struct {
	column   *column
	ordinals []uint16
}

func (c anyOf) size() int {
	size := 0
	for _, o := range c.ordinals {
		size += len(c.column.having(int(o), int(o)+1))
	}
	return size
}

func (c anyOf) list(docs []uint16, _ *scratch) []uint16 {
	for _, o := range c.ordinals {
		docs = append(docs, c.column.having(int(o), int(o)+1)...)
	}
	return docs
}

func (c anyOf) has(doc uint16) bool {
	if len(c.ordinals) == 1 {
		return c.column.of[doc] == c.ordinals[0]
	}
	_, ok := slices.BinarySearch(c.ordinals, c.column.of[doc])
	return ok
}

func (c anyOf) keep(docs []uint16, s *scratch) []uint16 {
	if len(c.ordinals) == 1 {
		o := int(c.ordinals[0])
		return inSpan{c.column, o, o + 1}.keep(docs, s)
	}
	kept := docs[:0]
	for _, doc := range docs {
		if c.has(doc) {
			kept = append(kept, doc)
		}
	}
	return kept
}

// anyWord matches the documents that have any of the words.
type anyWord struct {
	index    *wordIndex
	words    []uint32
	postings int // of all words together
}

func (x *wordIndex) clause(part string) anyWord {
	c := anyWord{index: x, words: x.containing(part)}
	for _, w := range c.words {
		c.postings += len(x.having(w))
	}
	return c
}

func (c anyWord) size() int { return c.postings }

func (c anyWord) list(docs []uint16, s *scratch) []uint16 {
	if len(c.words) == 1 {
		return append(docs, c.index.having(c.words[0])...)
	}
	set := c.collect(s)
	return set.appendTo(docs)
}

func (c anyWord) collect(s *scratch) *docSet {
	s.visited += c.postings
	clear(s.set[:])
	for _, w := range c.words {
		s.set.add(c.index.having(w))
	}
	return &s.set
}

func (c anyWord) has(doc uint16) bool {
	return slices.ContainsFunc(c.words, func(w uint32) bool {
		_, ok := slices.BinarySearch(c.index.having(w), doc)
		return ok
	})
}

// keep looks each document up in the words, or the other way round when that is less work.
func (c anyWord) keep(docs []uint16, s *scratch) []uint16 {
	has := c.has
	if probes := len(docs) * len(c.words) * bits.Len(uint(c.postings/len(c.words))); probes > c.postings+len(docSet{}) {
		has = c.collect(s).has
	}
	kept := docs[:0]
	for _, doc := range docs {
		if has(doc) {
			kept = append(kept, doc)
		}
	}
	return kept
}
