package feed

import (
	"strings"
	"time"
)

var (
	noDate      = bad("the date cannot be read", "Write it as 2026-01-31 or 01/31/2026.")
	unclearDate = bad("day and month of the date can be mistaken for each other", "Write it as 2026-01-31 or 01/31/2026.")
	noInstant   = bad("the time cannot be read", "Write it with an offset, such as 2026-01-31T08:00:00Z.")
	noOffset    = bad("the time has no offset, so it is open which instant is meant",
		"Write it such as 2026-01-31T08:00:00Z, or state the timezone of the rooftops in the tenant document.")
)

// parseDate reads a date as ISO 8601 writes it, with or without hyphens, as Americans do with slashes, or with dots or hyphens where
// one number can only be the day. A time of day behind is ignored.
func parseDate(text string) (any, *badValue) {
	day, _ := cutTime(text)
	at, err := readDay(day)
	if err != nil {
		return nil, err
	}
	return at.Format(time.DateOnly), nil
}

func cutTime(text string) (day, clock string) {
	at := strings.IndexAny(text, " T")
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at+1:])
}

func readDay(text string) (time.Time, *badValue) {
	parts, mark, ok := splitDay(text)
	if !ok {
		return time.Time{}, noDate
	}
	if len(parts[0]) == 4 && mark != '.' {
		return dayOf(parts[0], parts[1], parts[2])
	}
	if len(parts[2]) != 4 {
		return time.Time{}, noDate
	}
	monthFirst, noMonthFirst := dayOf(parts[2], parts[0], parts[1])
	if mark == '/' {
		return monthFirst, noMonthFirst
	}
	dayFirst, noDayFirst := dayOf(parts[2], parts[1], parts[0])
	switch {
	case noMonthFirst == nil && noDayFirst == nil && !dayFirst.Equal(monthFirst):
		return time.Time{}, unclearDate
	case noDayFirst == nil:
		return dayFirst, nil
	default:
		return monthFirst, noMonthFirst
	}
}

// splitDay returns the three numbers of a date, and what is between them; 0 for YYYYMMDD.
func splitDay(text string) (parts [3]string, mark byte, ok bool) {
	if len(text) == len("20260131") && isDigits(text) {
		return [3]string{text[:4], text[4:6], text[6:]}, 0, true
	}
	at := strings.IndexAny(text, "-/.")
	if at < 0 {
		return parts, 0, false
	}
	mark = text[at]
	parts[0] = text[:at]
	parts[1], parts[2], ok = strings.Cut(text[at+1:], text[at:at+1])
	for _, p := range parts {
		ok = ok && p != "" && len(p) <= 4 && isDigits(p)
	}
	return parts, mark, ok
}

func dayOf(year, month, day string) (time.Time, *badValue) {
	at := time.Date(int(atoi(year)), time.Month(atoi(month)), int(atoi(day)), 0, 0, 0, 0, time.UTC)
	if len(month) > 2 || len(day) > 2 || at.Month() != time.Month(atoi(month)) || at.Day() != int(atoi(day)) {
		return time.Time{}, noDate
	}
	return at, nil
}

// parseInstant reads a date and a time of day. One without an offset is in the zone, if that is not nil, and a date alone is the
// beginning of that day: never later than what is meant.
func parseInstant(text string, zone *time.Location) (any, *badValue) {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05 Z0700"} {
		if at, err := time.Parse(layout, text); err == nil {
			return rfc3339(at), nil
		}
	}
	date, clock := cutTime(text)
	day, err := readDay(date)
	if err != nil {
		return nil, noInstant
	}
	at, ok := readClock(clock)
	switch {
	case !ok:
		return nil, noInstant
	case zone == nil:
		return nil, noOffset
	}
	return rfc3339(time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone)), nil
}

func rfc3339(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

func readClock(text string) (at time.Time, ok bool) {
	if text == "" {
		return time.Time{}, true
	}
	for _, layout := range []string{"15:04:05", "15:04", "3:04:05 PM", "3:04 PM", "3:04PM"} {
		if at, err := time.Parse(layout, strings.ToUpper(text)); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
