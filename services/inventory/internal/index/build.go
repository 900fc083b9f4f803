package index

import (
	"cmp"
	"slices"
	"strings"
)

// build makes a segment of entries, at most maxDocs, one per vehicle. It sorts them.
func build(entries []*entry) *segment {
	slices.SortFunc(entries, byVehicleID)
	n := len(entries)
	s := &segment{seqs: make([]uint64, n), times: make([]timesAt, n), bodies: newBodies(entries)}
	ids := make([]string, n)
	for i, e := range entries {
		ids[i], s.seqs[i] = e.id.VehicleID, e.seq
		s.times[i] = timesAt{e.listing.UpdatedAtText.Start, e.listing.ObservedAtText.Start}
	}
	s.ids = newTexts(ids)
	b := builder{seen: make(map[string]uint16)}
	for term := range numTerms {
		s.terms[term] = b.terms(entries, term)
	}
	for number := range numNumbers {
		s.numbers[number] = numbersOf(each(entries, func(e *entry) float64 {
			if number == UpdatedAt {
				return float64(e.listing.UpdatedAt)
			}
			return e.numbers[number]
		}))
	}
	s.vin = b.texts(each(entries, func(e *entry) string { return e.id.VIN }))
	s.stock = b.texts(each(entries, func(e *entry) string { return e.id.Stock }))
	s.charge = newColumn(each(entries, (*entry).charge), 2)
	s.words = wordsOf(entries)
	return s
}

func each[V any](entries []*entry, value func(*entry) V) []V {
	values := make([]V, len(entries))
	for i, e := range entries {
		values[i] = value(e)
	}
	return values
}

// charge is the entry's ordinal in segment.charge.
func (e *entry) charge() uint16 {
	switch dc := e.listing.DCFastCharge; {
	case dc == nil:
		return 2
	case *dc:
		return 1
	default:
		return 0
	}
}

// builder makes columns of texts; it keeps its memory from one to the next.
type builder struct {
	seen     map[string]uint16 // ordinal by text
	distinct []string
}

// texts makes a column; "" is no value.
func (b *builder) texts(values []string) textColumn {
	b.number(values, strings.Compare)
	return textColumn{newColumn(b.ordinals(values), len(b.distinct)), newTexts(b.distinct)}
}

func (b *builder) terms(entries []*entry, term Term) termColumn {
	column := termColumn{textColumn: b.texts(each(entries, func(e *entry) string { return e.folded[term] }))}
	written := each(entries, func(e *entry) string { return e.terms[term] })
	b.number(written, compareSpellings)
	column.spellings = newTexts(b.distinct)
	if len(b.distinct) != column.values.len() {
		column.spelling = b.ordinals(written)
	}
	return column
}

// number sorts the different values.
func (b *builder) number(values []string, compare func(a, b string) int) {
	clear(b.seen)
	b.distinct = b.distinct[:0]
	for _, v := range values {
		if _, ok := b.seen[v]; !ok && v != "" {
			b.seen[v] = 0
			b.distinct = append(b.distinct, v)
		}
	}
	slices.SortFunc(b.distinct, compare)
	for i, v := range b.distinct {
		b.seen[v] = uint16(i)
	}
	b.seen[""] = uint16(len(b.distinct))
}

func (b *builder) ordinals(values []string) []uint16 {
	of := make([]uint16, len(values))
	for i, v := range values {
		of[i] = b.seen[v]
	}
	return of
}

// compareSpellings orders texts by what they fold to, so that the spellings of a value stand together and in the order of values.
func compareSpellings(a, b string) int {
	return cmp.Or(strings.Compare(fold(a), fold(b)), strings.Compare(a, b))
}

// numbersOf makes a column; NaN is no value.
func numbersOf(values []float64) numberColumn {
	distinct := slices.Clone(values)
	slices.Sort(distinct) // NaN first
	distinct = slices.Compact(slices.DeleteFunc(distinct, func(v float64) bool { return v != v }))
	c := numberColumn{values: slices.Clip(slices.Clone(distinct))}
	of := make([]uint16, len(values))
	for i, v := range values {
		of[i] = uint16(len(distinct))
		if v == v {
			o, _ := slices.BinarySearch(distinct, v)
			of[i] = uint16(o)
		}
	}
	c.column = newColumn(of, len(distinct))
	return c
}

// wordsOf indexes the words of entries.
func wordsOf(entries []*entry) wordIndex {
	type posting struct {
		word uint32
		doc  uint16
	}
	number := make(map[string]uint32)
	var words []string
	var last []uint16 // the document that had the word last, and one more
	var postings []posting
	for doc, e := range entries {
		for word := range strings.FieldsSeq(e.words) {
			w, ok := number[word]
			if !ok {
				w = uint32(len(words))
				number[word] = w
				words, last = append(words, word), append(last, 0)
			}
			if last[w] != uint16(doc+1) {
				last[w] = uint16(doc + 1)
				postings = append(postings, posting{w, uint16(doc)})
			}
		}
	}
	slices.Sort(words)
	place := make([]uint32, len(words)) // of a word, by its first number
	for i, word := range words {
		place[number[word]] = uint32(i)
	}
	start := make([]uint32, len(words)+1)
	for _, p := range postings {
		start[place[p.word]+1]++
	}
	for w := range words {
		start[w+1] += start[w]
	}
	next := slices.Clone(start)
	docs := make([]uint16, len(postings))
	for _, p := range postings {
		w := place[p.word]
		docs[next[w]] = p.doc
		next[w]++
	}
	return newWordIndex(newTexts(words), docs, start)
}
