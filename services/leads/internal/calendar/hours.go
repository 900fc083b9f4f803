package calendar

import (
	"strings"
	"time"

	"forecourt.internal/platform/tenant"
)

// hours are readings of the clock since midnight.
type hours struct{ open, close time.Duration }

// weekOf reads a schedule; opens says whether any day has hours.
func weekOf(s tenant.Schedule) (week [7]hours, opens bool) {
	for day := range week {
		if h := s.Value[strings.ToLower(time.Weekday(day).String())]; h != nil {
			week[day] = hours{clock(h.Open), clock(h.Close)}
			opens = true
		}
	}
	return week, opens
}

// clock reads "HH:MM"; the document's schema lets nothing else through.
func clock(s string) time.Duration {
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
}

// span is the time from start up to but not including end.
type span struct{ start, end time.Time }

func (s span) empty() bool { return !s.start.Before(s.end) }

// holds says whether all of other is in s.
func (s span) holds(other span) bool { return !other.start.Before(s.start) && !other.end.After(s.end) }

// overlaps says whether s and other share time; neither is empty.
func (s span) overlaps(other span) bool {
	return s.start.Before(other.end) && other.start.Before(s.end)
}

// opening is when the office is open on a day; it is empty on a closed one, and when the clock skips all of the hours.
func (o Office) opening(d Date) span {
	h := o.week[d.weekday()]
	if h.open == h.close {
		return span{}
	}
	opens, _ := readings(d.reading(h.open), o.zone)
	_, closes := readings(d.reading(h.close), o.zone)
	return span{opens, closes}
}

// readings finds the first instant at which a clock of the zone reads wall or later, and the end of the last one at which it reads
// earlier. The two differ where clocks go back over wall. wall is a reading as Date makes it.
func readings(wall time.Time, zone *time.Location) (first, last time.Time) {
	const widest = 26 * time.Hour // no clock is further from UTC
	for t := wall.Add(-widest).In(zone); t.Before(wall.Add(widest)); {
		_, offset := t.Zone()
		_, end := t.ZoneBounds() // the offset lasts from t to end
		if end.IsZero() {
			end = wall.Add(widest).In(zone)
		}
		at := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if first.IsZero() && at.Before(end) {
			first = latest(t, at)
		}
		if at.After(t) {
			last = earliest(end, at)
		}
		t = end
	}
	return first, last
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
