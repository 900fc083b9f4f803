package generate

import (
	"math/bits"
	"math/rand/v2"
)

// dice draws from a PCG. Only its Uint64 is used: that algorithm is fixed, while the helpers of math/rand/v2 may change what
// they make of it.
type dice struct{ source *rand.PCG }

// below draws from 0 to n-1; n is at least 1.
func (d dice) below(n int) int {
	high, _ := bits.Mul64(d.source.Uint64(), uint64(n))
	return int(high)
}

// between draws from low to high, both included.
func (d dice) between(low, high int) int { return low + d.below(high-low+1) }

// skewed draws as between does, small numbers more often: the mean is a third of the way up.
func (d dice) skewed(low, high int) int {
	return low + min(d.below(high-low+1), d.below(high-low+1))
}

// middling draws as between does, the middle more often.
func (d dice) middling(low, high int) int {
	return low + (d.below(high-low+1)+d.below(high-low+1))/2
}

// chance is true in percent of the draws.
func (d dice) chance(percent int) bool { return d.below(100) < percent }

// one draws an element.
func one[T any](d dice, list []T) T { return list[d.below(len(list))] }

// early draws an index below n, each half as often as the one before it and the last as often as that: what stands first sells
// most.
func (d dice) early(n int) int {
	at := 0
	for at < n-1 && d.chance(50) {
		at++
	}
	return at
}

// weighted draws an index with the given weights.
func weighted(d dice, weights []int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	at := d.below(total)
	for i, w := range weights {
		if at < w {
			return i
		}
		at -= w
	}
	return len(weights) - 1
}
