package calendar

import "fmt"

// ledgers are the days as they have been asked for.
type ledgers struct {
	booked func(Date) ([]Booking, error)
	seats  int
	// taken are the times of a day without a seat; a day with a nil list is free, one that is absent has not been asked for.
	taken map[Date][]span
}

func newLedgers(booked func(Date) ([]Booking, error), seats int) ledgers {
	return ledgers{booked: booked, seats: seats, taken: make(map[Date][]span)}
}

// free says whether there is a seat for a time of a day, all through.
func (l ledgers) free(date Date, s span) (bool, error) {
	taken, known := l.taken[date]
	if !known {
		bookings, err := l.booked(date)
		if err != nil {
			return false, fmt.Errorf("read what is booked: %w", err)
		}
		taken = full(bookings, l.seats)
		if len(bookings) >= maxBookings {
			taken = []span{{date.after(-1).reading(0), date.after(2).reading(0)}} // the day, in whatever zone
		}
		l.taken[date] = taken
	}
	for _, t := range taken {
		if t.overlaps(s) {
			return false, nil
		}
	}
	return true, nil
}
