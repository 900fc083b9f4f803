package index

import (
	"iter"
	"slices"
)

// ranking is an order on one segment. A document's rank there is a number: its ordinal, counted in the order's direction, and in the
// lower 16 bits the document's own number, which follows its vehicle id.
type ranking struct {
	order  order
	part   *part
	column *column // nil: by vehicle id
	texts  *textColumn
	number *numberColumn
}

func (o order) on(p *part) ranking {
	r := ranking{order: o, part: p}
	switch {
	case o.byID:
	case o.key.column != nil:
		r.texts = o.key.column(p.segment)
		r.column = &r.texts.column
	default:
		r.number = p.number(o.key.number)
		r.column = &r.number.column
	}
	return r
}

func (r ranking) rank(doc uint16) uint32 {
	if r.column == nil {
		return uint32(doc)
	}
	return uint32(r.turned(int(r.column.of[doc])))<<16 | uint32(doc)
}

// turned counts an ordinal in the order's direction, and such a count back; none stays the last.
func (r ranking) turned(ordinal int) int {
	if r.order.descending && ordinal < r.column.none() {
		return r.column.none() - 1 - ordinal
	}
	return ordinal
}

// after returns the first rank behind a position.
func (r ranking) after(at Position) uint32 {
	doc, found := r.part.ids.search(at.VehicleID)
	if found {
		doc++
	}
	if r.column == nil {
		return uint32(doc)
	}
	ordinal, isValue := r.column.none(), true
	switch {
	case at.Missing:
	case r.texts != nil:
		ordinal, isValue = r.texts.values.search(at.Text)
	default:
		ordinal, isValue = r.number.search(at.Number)
	}
	switch {
	case isValue:
		return uint32(r.turned(ordinal))<<16 + uint32(doc)
	case r.order.descending: // the values before ordinal are behind
		return uint32(r.column.none()-ordinal) << 16
	default:
		return uint32(ordinal) << 16
	}
}

// position is where a rank of a document stands.
func (r ranking) position(rank uint32) Position {
	doc := uint16(rank)
	p := Position{VehicleID: r.part.ids.at(int(doc))}
	switch {
	case r.column == nil:
	case int(r.column.of[doc]) == r.column.none():
		p.Missing = true
	case r.texts != nil:
		p.Text = r.texts.at(doc)
	default:
		p.Number = r.number.at(doc)
	}
	return p
}

// from yields the documents in order, from a rank on, buried ones included.
func (r ranking) from(rank uint32) iter.Seq[uint16] {
	return func(yield func(uint16) bool) { r.walk(rank, yield) }
}

func (r ranking) walk(from uint32, yield func(uint16) bool) {
	if r.column == nil {
		for doc := int(from); doc < r.part.len(); doc++ {
			if !yield(uint16(doc)) {
				return
			}
		}
		return
	}
	first := from & 0xffff
	for turned := int(from >> 16); turned <= r.column.none(); turned++ {
		ordinal := r.turned(turned)
		docs := r.column.having(ordinal, ordinal+1)
		if first > 0 {
			skipped, _ := slices.BinarySearchFunc(docs, first, func(doc uint16, first uint32) int { return int(doc) - int(first) })
			docs, first = docs[skipped:], 0
		}
		for _, doc := range docs {
			if !yield(doc) {
				return
			}
		}
	}
}

// appendTo appends the ranks of documents.
func (r ranking) appendTo(ranks []uint32, docs []uint16) []uint32 {
	if r.column == nil {
		for _, doc := range docs {
			ranks = append(ranks, uint32(doc))
		}
		return ranks
	}
	of, none := r.column.of, uint32(r.column.none())
	for _, doc := range docs {
		ordinal := uint32(of[doc])
		if r.order.descending && ordinal < none {
			ordinal = none - 1 - ordinal
		}
		ranks = append(ranks, ordinal<<16|uint32(doc))
	}
	return ranks
}

// first returns the ranks of the first few documents, in order, that are at from or behind.
func (r ranking) first(docs []uint16, from uint32, few int, s *scratch) []uint32 {
	s.ranks = r.appendTo(s.ranks[:0], docs)
	// Up to twice as many are kept, in place: they are sorted and cut when full, so that a document costs few comparisons.
	kept, bound := s.ranks[:0], uint32(1<<32-1)
	for _, rank := range s.ranks {
		if rank < from || rank > bound {
			continue
		}
		if kept = append(kept, rank); len(kept) == 2*few {
			slices.Sort(kept)
			kept = kept[:few]
			bound = kept[few-1]
		}
	}
	slices.Sort(kept)
	return slices.Clone(kept[:min(len(kept), few)])
}
