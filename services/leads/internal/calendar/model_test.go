package calendar_test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// model decides by looking at every time there is, in steps of 5 minutes, which hours and clocks follow too.
type model struct {
	zone     *time.Location
	week     map[string]*tenant.Hours
	settings tenant.Appointments
	now      time.Time
	booked   []calendar.Booking
}

const step = 5 * time.Minute

// day is midnight UTC of the office's date, so many days after today.
func (m model) day(n int) time.Time {
	year, month, today := m.now.In(m.zone).Date()
	return time.Date(year, month, today+n, 0, 0, 0, 0, time.UTC)
}

// opening reads the clock all around a day. Both are the zero time when the office is closed.
func (m model) opening(day time.Time) (opens, closes time.Time) {
	h := m.week[strings.ToLower(day.Weekday().String())]
	if h == nil {
		return opens, closes
	}
	wallOpen, wallClose := on(day, h.Open), on(day, h.Close)
	for t := day.Add(-15 * time.Hour); t.Before(day.Add(40 * time.Hour)); t = t.Add(step) {
		_, offset := t.In(m.zone).Zone()
		reading := t.Add(time.Duration(offset) * time.Second)
		if opens.IsZero() && !reading.Before(wallOpen) {
			opens = t
		}
		if reading.Before(wallClose) {
			closes = t.Add(step)
		}
	}
	if !opens.Before(closes) {
		return time.Time{}, time.Time{}
	}
	return opens, closes
}

func on(day time.Time, clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04", day.Format(time.DateOnly)+" "+clock)
	if err != nil {
		panic(err)
	}
	return t
}

// openings are those from today to the horizon.
func (m model) openings() (all [][2]time.Time) {
	for n := 0; n <= m.settings.Horizon(); n++ {
		if opens, closes := m.opening(m.day(n)); !opens.IsZero() {
			all = append(all, [2]time.Time{opens, closes})
		}
	}
	return all
}

// most is how many appointments there are at once in a time.
func (m model) most(start, end time.Time) (most int) {
	points := []time.Time{start}
	for _, b := range m.booked {
		if b.Start.After(start) && b.Start.Before(end) {
			points = append(points, b.Start)
		}
	}
	for _, p := range points {
		n := 0
		for _, b := range m.booked {
			if !b.Start.After(p) && b.End.After(p) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (m model) free(start, end time.Time) bool {
	return !start.Before(m.now.Add(m.settings.Notice())) && m.most(start, end) < m.settings.Seats()
}

// decide returns whether the wish is confirmed, and what is proposed when it is not.
func (m model) decide(openings [][2]time.Time, w calendar.Wish) (confirmed bool, proposed []time.Time) {
	length := w.Duration
	if length == 0 {
		length = m.settings.Slot()
	}
	for _, o := range openings {
		if end := w.At.Add(length); !w.At.Before(o[0]) && !end.After(o[1]) && m.free(w.At, end) {
			return true, nil
		}
		for t := o[0]; !t.Add(length).After(o[1]); t = t.Add(m.settings.Slot()) {
			if m.free(t, t.Add(length)) {
				proposed = append(proposed, t)
			}
		}
	}
	slices.SortStableFunc(proposed, func(a, b time.Time) int { return cmp.Compare(a.Sub(w.At).Abs(), b.Sub(w.At).Abs()) })
	proposed = proposed[:min(3, len(proposed))]
	slices.SortFunc(proposed, time.Time.Compare)
	return false, proposed
}
