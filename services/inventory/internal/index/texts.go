package index

import (
	"sort"
	"strings"
)

// texts is a sorted list of different texts in one piece of memory.
type texts struct {
	all  string
	ends []uint32
}

func newTexts(sorted []string) texts {
	size := 0
	for _, s := range sorted {
		size += len(s)
	}
	var b strings.Builder
	b.Grow(size)
	ends := make([]uint32, len(sorted))
	for i, s := range sorted {
		b.WriteString(s)
		ends[i] = uint32(b.Len())
	}
	return texts{all: b.String(), ends: ends}
}

func (t texts) len() int { return len(t.ends) }

func (t texts) at(i int) string {
	start := uint32(0)
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.all[start:t.ends[i]]
}

// search returns the place of the first text that is not before s, and whether it is s.
func (t texts) search(s string) (int, bool) {
	return sort.Find(t.len(), func(i int) int { return strings.Compare(s, t.at(i)) })
}
