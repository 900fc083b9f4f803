package main

import (
	"fmt"
	"runtime"
	"time"
)

// roundTime is about how long one side of one round takes, so that a timer's grain and a single pause do not count.
const roundTime = 20 * time.Millisecond

// duel times two ways to answer the same queries, in turns, so that whatever else the machine does hits both. ours and theirs
// answer the i-th of variants queries. The results are nanoseconds per query.
func duel(rounds int, ours, theirs func(i int) error) (a, b Spread, err error) {
	sides := [2]struct {
		answer func(int) error
		passes int
		took   []time.Duration
	}{{answer: ours}, {answer: theirs}}
	for s := range sides {
		took, err := pass(sides[s].answer, 1)
		if err != nil {
			return a, b, err
		}
		sides[s].passes = max(1, int(roundTime/(variants*max(took, 1))))
	}
	for range rounds {
		for s := range sides {
			runtime.GC() // neither pays for the other's garbage
			took, err := pass(sides[s].answer, sides[s].passes)
			if err != nil {
				return a, b, err
			}
			sides[s].took = append(sides[s].took, took)
		}
	}
	ns := func(d time.Duration) float64 { return float64(d) }
	return spreadOf(sides[0].took, ns), spreadOf(sides[1].took, ns), nil
}

// pass answers every query a few times and returns the time of one.
func pass(answer func(i int) error, passes int) (time.Duration, error) {
	start := time.Now()
	for range passes {
		for i := range variants {
			if err := answer(i); err != nil {
				return 0, fmt.Errorf("query %d: %w", i, err)
			}
		}
	}
	return time.Since(start) / time.Duration(passes*variants), nil
}
