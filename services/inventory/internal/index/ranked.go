package index

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// rankedTerms lists texts by count, counting those that differ only in case as one.
func rankedTerms(bySpelling map[string]int) []Count {
	total, usual := make(map[string]int), make(map[string]string) // by folded value
	for _, spelling := range ranked(bySpelling, strings.Compare) {
		text := spelling.Value.(string)
		folded := fold(text)
		if total[folded] == 0 {
			usual[folded] = text
		}
		total[folded] += spelling.Count
	}
	counts := make(map[string]int, len(total))
	for folded, n := range total {
		counts[usual[folded]] = n
	}
	return ranked(counts, strings.Compare)
}

func rankedYears(years map[float64]int) []Count {
	counts := make(map[int64]int, len(years))
	for year, n := range years {
		counts[int64(year)] += n
	}
	return ranked(counts, cmp.Compare[int64])
}

// rankedBools lists false and true; counts are of both in this order.
func rankedBools(counts [2]int) []Count {
	byValue := make(map[bool]int)
	for i, value := range []bool{false, true} {
		if counts[i] > 0 {
			byValue[value] = counts[i]
		}
	}
	return ranked(byValue, func(a, b bool) int {
		switch {
		case a == b:
			return 0
		case b:
			return -1
		default:
			return 1
		}
	})
}

// ranked lists values by count, highest first, then by value.
func ranked[V comparable](counts map[V]int, byValue func(a, b V) int) []Count {
	values := slices.SortedFunc(maps.Keys(counts), func(a, b V) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), byValue(a, b))
	})
	list := make([]Count, len(values))
	for i, v := range values {
		list[i] = Count{Value: v, Count: counts[v]}
	}
	return list
}
