package calendar

import "time"

// Wish is what a buyer asks for.
type Wish struct {
	At time.Time
	// Duration is 0 for the length of a slot.
	Duration time.Duration
}

// Decision is Confirmed, Proposed or Unavailable. Its times have the office's offset at the instant.
type Decision interface{ decision() }

// Confirmed says that the wish can be booked as it is.
type Confirmed struct {
	// Start is the wished instant; the appointment lasts up to but not including End.
	Start, End time.Time
	// Date is the day to book it for.
	Date Date
}

// Proposed says that the wish cannot be had, but others can.
type Proposed struct {
	// Times are one to three open times for an appointment of the wished length, the nearest to the wish, in chronological order.
	Times []time.Time
}

// Unavailable says that there is no open time for an appointment of the wished length at all.
type Unavailable struct{}

func (Confirmed) decision()   {}
func (Proposed) decision()    {}
func (Unavailable) decision() {}

// Decide holds a wish against the opening hours, the notice, the horizon and what is booked (contract, lead.submit). booked returns the
// bookings of a day; it is called at most once for a day, for none that is closed, and for days near the wish first. Its error is the
// only one there is. Times that are proposed follow each other by a slot, from the opening of their day on.
func (o Office) Decide(w Wish, now time.Time, booked func(Date) ([]Booking, error)) (Decision, error) {
	if w.Duration <= 0 {
		w.Duration = o.slot
	}
	days := newLedgers(booked, o.seats)
	if date := o.Day(w.At); o.takes(w, date, now) {
		free, err := days.free(date, w.span())
		if err != nil {
			return nil, err
		}
		if free {
			return Confirmed{Start: w.At.In(o.zone), End: w.At.Add(w.Duration).In(o.zone), Date: date}, nil
		}
	}
	times, err := o.nearest(w, now, days)
	switch {
	case err != nil:
		return nil, err
	case len(times) == 0:
		return Unavailable{}, nil
	}
	return Proposed{times}, nil
}

// span is the time that the appointment takes.
func (w Wish) span() span { return span{w.At, w.At.Add(w.Duration)} }

// takes says whether the office takes appointments for the time of a wish, whatever is booked.
func (o Office) takes(w Wish, date Date, now time.Time) bool {
	return !w.At.Before(now.Add(o.notice)) && date.compare(o.Day(now).after(o.horizon)) <= 0 && o.opening(date).holds(w.span())
}
