package index

import (
	"math"
	"slices"
)

// build makes a segment of entries, at most maxDocs, one per vehicle. It sorts them.
func build(entries []*entry) *segment {
	slices.SortFunc(entries, byVehicleID)
	s := &segment{seqs: make([]uint64, len(entries)), times: make([]timesAt, len(entries)), bodies: newBodies(entries)}
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i], s.seqs[i] = e.id.VehicleID, e.seq
		s.times[i] = timesAt{e.listing.UpdatedAtText.Start, e.listing.ObservedAtText.Start}
	}
	s.ids = newTexts(ids)
	s.hashes = newHashes(s.ids)
	n := numberings.Get().(*numbering)
	defer numberings.Put(n)
	for term := range numTerms {
		s.terms[term] = n.terms(entries, term)
	}
	for number := range numNumbers {
		s.numbers[number] = numbersOf(each(entries, func(e *entry) float64 {
			if number == UpdatedAt {
				return float64(e.listing.UpdatedAt)
			}
			return e.numbers[number]
		}))
	}
	s.vin = n.texts(each(entries, func(e *entry) string { return e.id.VIN }))
	s.stock = n.texts(each(entries, func(e *entry) string { return e.id.Stock }))
	s.charge = newColumn(each(entries, (*entry).charge), 2)
	s.words = wordsOf(entries)
	n.reset() // the texts are let go
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

// texts makes a column; "" is no value.
func (n *numbering) texts(values []string) textColumn {
	n.reset()
	none := uint32(len(values)) // more than there are values
	numbers := make([]uint32, len(values))
	for doc, v := range values {
		numbers[doc] = none
		if v != "" {
			numbers[doc] = n.of(v)
		}
	}
	sorted, places := n.sorted()
	of := make([]uint16, len(values))
	for doc, number := range numbers {
		of[doc] = uint16(len(places))
		if number != none {
			of[doc] = uint16(places[number])
		}
	}
	return textColumn{newColumn(of, len(places)), newTexts(sorted)}
}

// terms makes a column of a term. Most often every value has one spelling.
func (n *numbering) terms(entries []*entry, term Term) termColumn {
	column := termColumn{textColumn: n.texts(each(entries, func(e *entry) string { return e.folded[term] }))}
	written := each(entries, func(e *entry) string { return e.terms[term] })
	spellings := make([]spelling, column.none())
	single := true
	for doc, text := range written {
		if o := int(column.of[doc]); o < column.none() {
			single = single && (spellings[o].written == "" || spellings[o].written == text)
			spellings[o] = spelling{column.values.at(o), text}
		}
	}
	if single {
		column.spelled(spellings, nil)
		return column
	}
	n.spell(&column, written)
	return column
}

// spell sets the spellings of a column in which a value has several.
func (n *numbering) spell(column *termColumn, written []string) {
	n.reset()
	var spellings []spelling
	for doc, text := range written {
		if text != "" && int(n.of(text)) == len(spellings) {
			spellings = append(spellings, spelling{column.values.at(int(column.of[doc])), text})
		}
	}
	slices.SortFunc(spellings, spelling.compare)
	place := make(map[string]uint16, len(spellings)+1)
	for i, s := range spellings {
		place[s.written] = uint16(i)
	}
	place[""] = uint16(len(spellings))
	of := make([]uint16, len(written))
	for doc, text := range written {
		of[doc] = place[text]
	}
	column.spelled(spellings, of)
}

// numbersOf makes a column; NaN is no value.
func numbersOf(values []float64) numberColumn {
	distinct := slices.Clone(values)
	slices.Sort(distinct)
	distinct = slices.Compact(slices.DeleteFunc(distinct, math.IsNaN))
	c := numberColumn{values: slices.Clip(slices.Clone(distinct))}
	of := make([]uint16, len(values))
	for i, v := range values {
		of[i] = uint16(len(distinct))
		if !math.IsNaN(v) {
			o, _ := slices.BinarySearch(distinct, v)
			of[i] = uint16(o)
		}
	}
	c.column = newColumn(of, len(distinct))
	return c
}
