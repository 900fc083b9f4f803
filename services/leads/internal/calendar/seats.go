package calendar

import (
	"cmp"
	"slices"
	"time"
)

// change is how the number of appointments changes at an instant.
type change struct {
	at time.Time
	by int
}

// full returns the times at which no seat is left, in order.
func full(bookings []Booking, seats int) []span {
	changes := make([]change, 0, 2*len(bookings))
	for _, b := range bookings {
		changes = append(changes, change{b.Start, 1}, change{b.End, -1})
	}
	// A seat that one leaves is the next one's at the same instant.
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.by, b.by)) })
	var times []span
	taken := 0
	for _, c := range changes {
		switch {
		case c.by > 0 && taken+1 == seats:
			times = append(times, span{start: c.at})
		case c.by < 0 && taken == seats:
			times[len(times)-1].end = c.at
		}
		taken += c.by
	}
	return times
}
