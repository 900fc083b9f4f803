package index

import "math"

// tally counts the values of listings.
type tally struct {
	terms   [numTerms]map[string]int // by spelling
	years   map[float64]int
	charge  [2]int // false and true
	extents [numNumbers]*Extent
	scratch *scratch
}

// extentOf are the numbers whose range is a facet.
var extentOf = []Number{Price, Mileage, Year, DisplacementCC, ElectricRangeMi}

func newTally(s *scratch) *tally {
	t := &tally{years: make(map[float64]int), scratch: s}
	for term := range t.terms {
		t.terms[term] = make(map[string]int)
	}
	return t
}

func (t *tally) entry(e *entry) {
	for term, text := range e.terms {
		if text != "" {
			t.terms[term][text]++
		}
	}
	if year := e.numbers[Year]; !math.IsNaN(year) {
		t.years[year]++
	}
	if o := e.charge(); o < 2 {
		t.charge[o]++
	}
	for _, number := range extentOf {
		if n := e.numbers[number]; !math.IsNaN(n) {
			t.extend(number, n)
		}
	}
}

func (t *tally) extend(number Number, n float64) {
	if t.extents[number] == nil {
		t.extents[number] = &Extent{Min: n, Max: n}
		return
	}
	e := t.extents[number]
	e.Min, e.Max = min(e.Min, n), max(e.Max, n)
}

// some counts documents of a segment.
func (t *tally) some(p *part, docs []uint16) {
	for term := range p.terms {
		column := &p.terms[term]
		of := column.of
		if column.spelling != nil {
			of = column.spelling
		}
		t.addTexts(Term(term), column, t.count(of, docs, column.spellings.len()))
	}
	years := p.number(Year)
	t.addYears(years, t.count(years.of, docs, years.none()))
	t.addCharge(t.count(p.charge.of, docs, p.charge.none()))
	for _, number := range extentOf {
		t.extendBy(p, number, docs)
	}
}

// count counts documents by ordinal, those without a value at the end, in memory of the scratch.
func (t *tally) count(of, docs []uint16, values int) []int {
	counts := t.counts(values)
	for _, doc := range docs {
		counts[of[doc]]++
	}
	return counts
}

func (t *tally) counts(values int) []int {
	if cap(t.scratch.counts) <= values {
		t.scratch.counts = make([]int, values+1)
	}
	counts := t.scratch.counts[:values+1]
	clear(counts)
	return counts
}

func (t *tally) addTexts(term Term, c *termColumn, counts []int) {
	for spelling, n := range counts[:c.spellings.len()] {
		if n > 0 {
			t.terms[term][c.spellings.at(spelling)] += n
		}
	}
}

func (t *tally) addYears(c *numberColumn, counts []int) {
	for o, n := range counts[:c.none()] {
		if n > 0 {
			t.years[c.values[o]] += n
		}
	}
}

func (t *tally) addCharge(counts []int) {
	for o := range t.charge {
		t.charge[o] += counts[o]
	}
}

func (t *tally) extendBy(p *part, number Number, docs []uint16) {
	column := p.number(number)
	none := uint16(column.none())
	low, high, some := none, uint16(0), false
	for _, doc := range docs {
		if o := column.of[doc]; o != none {
			low, high, some = min(low, o), max(high, o), true
		}
	}
	if some {
		t.extend(number, column.values[low])
		t.extend(number, column.values[high])
	}
}

// whole counts all living documents of a segment by the lengths of its lists.
func (t *tally) whole(p *part) {
	for term := range p.terms {
		column := &p.terms[term]
		if column.spelling == nil {
			t.addTexts(Term(term), column, t.lengths(&column.column, &p.graves))
		} else {
			t.addTexts(Term(term), column, t.living(column.spelling, column.spellings.len(), &p.graves))
		}
	}
	years := p.number(Year)
	t.addYears(years, t.lengths(&years.column, &p.graves))
	t.addCharge(t.lengths(&p.charge, &p.graves))
	for _, number := range extentOf {
		t.extendByEnds(p, number)
	}
}

func (t *tally) lengths(c *column, g *graves) []int {
	counts := t.counts(c.none())
	for o := range counts {
		counts[o] = len(c.having(o, o+1))
	}
	for doc := range g.all {
		counts[c.of[doc]]--
	}
	return counts
}

// living counts spellings, for which there are no lists.
func (t *tally) living(spelling []uint16, spellings int, g *graves) []int {
	counts := t.counts(spellings)
	for _, s := range spelling {
		counts[s]++
	}
	for doc := range g.all {
		counts[spelling[doc]]--
	}
	return counts
}

// extendByEnds looks for the living documents with the lowest and the highest value.
func (t *tally) extendByEnds(p *part, number Number) {
	column := p.number(number)
	docs := column.having(0, column.none())
	for i := range docs {
		if doc := docs[i]; !p.graves.has(doc) {
			t.extend(number, column.at(doc))
			break
		}
	}
	for i := range docs {
		if doc := docs[len(docs)-1-i]; !p.graves.has(doc) {
			t.extend(number, column.at(doc))
			break
		}
	}
}
