package index

import (
	"cmp"
	"slices"
	"strings"
)

// counted is a value and how many listings have it.
type counted[V any] struct {
	value V
	count int
}

// rankedTerms lists texts by count, counting those that differ only in case as one.
func rankedTerms(bySpelling map[string]int) []Count {
	counts := pairs(bySpelling)
	rank(counts, strings.Compare) // the usual spelling of a value comes first
	place := make(map[string]int, len(counts))
	merged := counts[:0]
	for _, c := range counts {
		folded := fold(c.value)
		if i, ok := place[folded]; ok {
			merged[i].count += c.count
			continue
		}
		place[folded] = len(merged)
		merged = append(merged, c)
	}
	rank(merged, strings.Compare)
	return listed(merged)
}

func rankedYears(years map[float64]int) []Count {
	byYear := make(map[int64]int, len(years))
	for year, n := range years {
		byYear[int64(year)] += n
	}
	counts := pairs(byYear)
	rank(counts, cmp.Compare[int64])
	return listed(counts)
}

// rankedBools lists false and true; counts are of both in this order.
func rankedBools(of [2]int) []Count {
	var counts []counted[bool]
	for i, value := range []bool{false, true} {
		if of[i] > 0 {
			counts = append(counts, counted[bool]{value, of[i]})
		}
	}
	rank(counts, func(a, b bool) int {
		if a == b {
			return 0
		} else if b {
			return -1
		}
		return 1
	})
	return listed(counts)
}

func pairs[V comparable](counts map[V]int) []counted[V] {
	list := make([]counted[V], 0, len(counts))
	for value, n := range counts {
		list = append(list, counted[V]{value, n})
	}
	return list
}

// rank sorts by count, highest first, then by value.
func rank[V any](counts []counted[V], byValue func(a, b V) int) {
	slices.SortFunc(counts, func(a, b counted[V]) int {
		if a.count != b.count {
			return b.count - a.count
		}
		return byValue(a.value, b.value)
	})
}

func listed[V any](counts []counted[V]) []Count {
	list := make([]Count, len(counts))
	for i, c := range counts {
		list[i] = Count{Value: c.value, Count: c.count}
	}
	return list
}
