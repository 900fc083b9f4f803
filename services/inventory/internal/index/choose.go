package index

import (
	"cmp"
	"slices"
)

// mostSources bounds a merge, and so how long a background one keeps others waiting.
const mostSources = 16

// isSparse says that most of a part is buried, so that it costs more than it is worth.
func isSparse(p *part) bool { return 2*p.graves.count > p.len() }

func living(parts []*part) int {
	sum := 0
	for _, p := range parts {
		sum += p.alive()
	}
	return sum
}

// choose returns parts that should become one; none when all is well. That is when a tier has so many of them, or one is sparse. Tiers
// are by living documents: the delta's size times a power of the factor.
func (s sizes) choose(parts, busy []*part) []*part {
	var tiers [32][]*part
	sparse := [len(tiers)]bool{}
	for _, p := range parts {
		if slices.ContainsFunc(busy, p.isOf) || 2*p.alive() > s.docs && !isSparse(p) { // it is in work, or as large as it gets
			continue
		}
		tier := 0
		for size := s.delta * s.factor; size <= p.alive(); size *= s.factor {
			tier++
		}
		tiers[tier] = append(tiers[tier], p)
		sparse[tier] = sparse[tier] || isSparse(p)
	}
	for tier, candidates := range tiers {
		if len(candidates) >= s.factor || sparse[tier] {
			return s.fitting(candidates)
		}
	}
	return nil
}

// fitting returns those that fit into a segment together, sparse and small ones first.
func (s sizes) fitting(candidates []*part) []*part {
	slices.SortStableFunc(candidates, func(a, b *part) int {
		if isSparse(a) != isSparse(b) {
			if isSparse(a) {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.alive(), b.alive())
	})
	sum, n := 0, 0
	for n < min(len(candidates), mostSources) && sum+candidates[n].alive() <= s.docs {
		sum += candidates[n].alive()
		n++
	}
	return candidates[:n]
}
