package calendar

import (
	"cmp"
	"fmt"
	"time"
)

// Date is a day of an office's calendar.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

func dateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// String is the date as in 2006-01-02.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// after is the date some days later.
func (d Date) after(days int) Date { return dateOf(d.reading(0).AddDate(0, 0, days)) }

// compare is negative when d comes before other.
func (d Date) compare(other Date) int {
	return cmp.Or(cmp.Compare(d.Year, other.Year), cmp.Compare(d.Month, other.Month), cmp.Compare(d.Day, other.Day))
}

// reading is what a clock shows at a time of the day, as if it were UTC: it says nothing of the instant.
func (d Date) reading(clock time.Duration) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Add(clock)
}

func (d Date) weekday() time.Weekday { return d.reading(0).Weekday() }
