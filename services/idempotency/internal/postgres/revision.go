package postgres

import (
	"math/rand/v2"
	"time"
)

// A revision is the day on which its row changed, in days since 1970 (16 bits, until the year 2149), and then 47 random bits. So it
// tells which partition the row is in, and a change need not look into the others, which more than halves its cost.
const randomBits = 47

func newRevision(changed time.Time) uint64 {
	days := uint64(changed.Unix()) / uint64(day/time.Second)
	return days<<randomBits | rand.Uint64()>>(64-randomBits)
}

// dayOf is the first instant of the day on which the row at the revision changed, in UTC.
func dayOf(revision uint64) time.Time {
	return time.Unix(int64(revision>>randomBits)*int64(day/time.Second), 0).UTC()
}
