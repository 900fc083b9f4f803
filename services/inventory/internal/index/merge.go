package index

import (
	"cmp"
	"slices"
	"strings"
)

// merge makes one segment of the living documents of several.
type merge struct {
	sources []*part
	order   []place    // the merged documents
	number  [][]uint16 // of a source's document in the merged segment; noDoc when it is buried
}

type place struct {
	source int32
	doc    uint16
}

// mergeParts returns the segment and how documents are numbered in it: the number of document d of sources[s] is number[s][d], noDoc for
// a buried one. There are at most maxDocs living documents, one per vehicle.
func mergeParts(sources []*part) (merged *segment, number [][]uint16) {
	m := &merge{sources: sources}
	s := &segment{}
	s.ids = m.numberDocs()
	s.hashes = newHashes(s.ids)
	s.seqs = make([]uint64, len(m.order))
	s.times = make([]timesAt, len(m.order))
	for doc, from := range m.order {
		s.seqs[doc] = sources[from.source].seqs[from.doc]
		s.times[doc] = sources[from.source].times[from.doc]
	}
	s.bodies = mergeBodies(m)
	for term := range numTerms {
		s.terms[term] = m.terms(term)
	}
	for number := range numNumbers {
		s.numbers[number] = m.numbers(number)
	}
	s.vin, _ = m.texts(func(s *segment) *textColumn { return &s.vin })
	s.stock, _ = m.texts(func(s *segment) *textColumn { return &s.stock })
	s.charge = newColumn(m.ordinals(func(s *segment) []uint16 { return s.charge.of }, nil), 2)
	s.words = m.words()
	return s, m.number
}

// numberDocs puts the living documents in order.
func (m *merge) numberDocs() texts {
	sizes := make([]int, len(m.sources))
	m.number = make([][]uint16, len(m.sources))
	for s, source := range m.sources {
		sizes[s] = source.len()
		m.number[s] = make([]uint16, source.len())
	}
	ids, ordinals := unite(sizes,
		func(s, doc int) bool { return !m.sources[s].graves.has(uint16(doc)) },
		func(s, doc int) string { return m.sources[s].ids.at(doc) }, strings.Compare)
	m.order = make([]place, len(ids))
	for s, source := range m.sources {
		for doc := range m.number[s] {
			m.number[s][doc] = noDoc
			if !source.graves.has(uint16(doc)) {
				m.number[s][doc] = uint16(ordinals[s][doc])
				m.order[ordinals[s][doc]] = place{int32(s), uint16(doc)}
			}
		}
	}
	return newTexts(ids)
}

// ordinals are those of the merged documents: what old gives for the source, as renumbered says; nil keeps it.
func (m *merge) ordinals(old func(*segment) []uint16, renumbered [][]uint32) []uint16 {
	of := make([]uint16, len(m.order))
	columns := make([][]uint16, len(m.sources))
	for s, source := range m.sources {
		columns[s] = old(source.segment)
	}
	for doc, from := range m.order {
		o := columns[from.source][from.doc]
		if renumbered != nil {
			o = uint16(renumbered[from.source][o])
		}
		of[doc] = o
	}
	return of
}

// used says for each source which of its ordinals, by old, living documents have.
func (m *merge) used(old func(*segment) []uint16, sizes []int) [][]bool {
	used := make([][]bool, len(m.sources))
	for s, source := range m.sources {
		used[s] = make([]bool, sizes[s]+1)
		for doc, o := range old(source.segment) {
			if m.number[s][doc] != noDoc {
				used[s][o] = true
			}
		}
	}
	return used
}

// values unites the values that living documents have. It returns their new ordinals by source and old ordinal, also of none.
func values[V any](m *merge, of func(*segment) []uint16, sizes []int, at func(s, o int) V, compare func(a, b V) int) ([]V, [][]uint32) {
	used := m.used(of, sizes)
	distinct, ordinals := unite(sizes, func(s, o int) bool { return used[s][o] }, at, compare)
	for s := range ordinals {
		ordinals[s] = append(ordinals[s], uint32(len(distinct)))
	}
	return distinct, ordinals
}

func (m *merge) texts(column func(*segment) *textColumn) (textColumn, [][]uint32) {
	columns, sizes := make([]*textColumn, len(m.sources)), make([]int, len(m.sources))
	for s, source := range m.sources {
		columns[s] = column(source.segment)
		sizes[s] = columns[s].none()
	}
	of := func(s *segment) []uint16 { return column(s).of }
	distinct, ordinals := values(m, of, sizes, func(s, o int) string { return columns[s].values.at(o) }, strings.Compare)
	return textColumn{newColumn(m.ordinals(of, ordinals), len(distinct)), newTexts(distinct)}, ordinals
}

func (m *merge) terms(term Term) termColumn {
	var merged termColumn
	merged.textColumn, _ = m.texts(func(s *segment) *textColumn { return &s.terms[term].textColumn })
	sizes := make([]int, len(m.sources))
	for s, source := range m.sources {
		sizes[s] = source.terms[term].spellings.len()
	}
	of := func(s *segment) []uint16 {
		if c := &s.terms[term]; c.spelling != nil {
			return c.spelling
		}
		return s.terms[term].of
	}
	at := func(s, o int) spelling { return m.sources[s].terms[term].spellingAt(o) }
	distinct, ordinals := values(m, of, sizes, at, spelling.compare)
	var spelling []uint16
	if len(distinct) != merged.none() {
		spelling = m.ordinals(of, ordinals)
	}
	merged.spelled(distinct, spelling)
	return merged
}

func (m *merge) numbers(number Number) numberColumn {
	sizes := make([]int, len(m.sources))
	for s, source := range m.sources {
		sizes[s] = source.numbers[number].none()
	}
	of := func(s *segment) []uint16 { return s.numbers[number].of }
	at := func(s, o int) float64 { return m.sources[s].numbers[number].values[o] }
	distinct, ordinals := values(m, of, sizes, at, cmp.Compare[float64])
	return numberColumn{newColumn(m.ordinals(of, ordinals), len(distinct)), distinct}
}

// words merges the words that living documents have.
func (m *merge) words() wordIndex {
	sizes, total := make([]int, len(m.sources)), 0
	for s, source := range m.sources {
		sizes[s] = source.words.words.len()
		total += len(source.words.docs)
	}
	isLiving := func(s, w int) bool {
		return m.sources[s].graves.count == 0 ||
			slices.ContainsFunc(m.sources[s].words.having(uint32(w)), func(doc uint16) bool { return m.number[s][doc] != noDoc })
	}
	at := func(s, w int) string { return m.sources[s].words.words.at(w) }
	words, ordinals := unite(sizes, isLiving, at, strings.Compare)
	start := make([]uint32, 1, len(words)+1)
	docs := make([]uint16, 0, total)
	next := make([]int, len(m.sources)) // word by source
	var set docSet
	for word := range words {
		first := len(docs)
		for s := range m.sources {
			for next[s] < sizes[s] && ordinals[s][next[s]] == unwanted {
				next[s]++
			}
			if next[s] < sizes[s] && ordinals[s][next[s]] == uint32(word) {
				docs = m.postings(docs, s, uint32(next[s]))
				next[s]++
			}
		}
		set.sort(docs[first:], len(m.order))
		start = append(start, uint32(len(docs)))
	}
	return newWordIndex(newTexts(words), slices.Clip(docs), start)
}

// postings appends the merged documents that have a source's word.
func (m *merge) postings(docs []uint16, source int, word uint32) []uint16 {
	number := m.number[source]
	for _, doc := range m.sources[source].words.having(word) {
		if n := number[doc]; n != noDoc {
			docs = append(docs, n)
		}
	}
	return docs
}
