package calendar_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// Hours where clocks change over them: opens and closes are the first instant of the first appointment and the end of the last one.
var changes = map[string]struct {
	zone, date, open, close string
	opens, closes           string
}{
	"forward, around":           {"America/Los_Angeles", "2026-03-08", "01:00", "18:00", "2026-03-08T01:00:00-08:00", "2026-03-08T18:00:00-07:00"},
	"forward, after":            {"America/Los_Angeles", "2026-03-08", "09:00", "18:00", "2026-03-08T09:00:00-07:00", "2026-03-08T18:00:00-07:00"},
	"forward over opening":      {"America/Los_Angeles", "2026-03-08", "02:30", "18:00", "2026-03-08T03:00:00-07:00", "2026-03-08T18:00:00-07:00"},
	"forward over closing":      {"America/Los_Angeles", "2026-03-08", "01:00", "02:30", "2026-03-08T01:00:00-08:00", "2026-03-08T03:00:00-07:00"},
	"back, around":              {"America/Los_Angeles", "2026-11-01", "00:30", "18:00", "2026-11-01T00:30:00-07:00", "2026-11-01T18:00:00-08:00"},
	"back over opening":         {"America/Los_Angeles", "2026-11-01", "01:30", "18:00", "2026-11-01T01:30:00-07:00", "2026-11-01T18:00:00-08:00"},
	"back over closing":         {"America/Los_Angeles", "2026-11-01", "00:30", "01:30", "2026-11-01T00:30:00-07:00", "2026-11-01T01:30:00-08:00"},
	"back over both":            {"America/Los_Angeles", "2026-11-01", "01:00", "01:30", "2026-11-01T01:00:00-07:00", "2026-11-01T01:30:00-08:00"},
	"back, opens at the change": {"America/Los_Angeles", "2026-11-01", "02:00", "18:00", "2026-11-01T02:00:00-08:00", "2026-11-01T18:00:00-08:00"},
	"forward east of UTC":       {"Europe/Berlin", "2026-03-29", "02:30", "18:00", "2026-03-29T03:00:00+02:00", "2026-03-29T18:00:00+02:00"},
	"back east of UTC":          {"Europe/Berlin", "2026-10-25", "02:15", "02:45", "2026-10-25T02:15:00+02:00", "2026-10-25T02:45:00+01:00"},
	"half an hour forward":      {"Australia/Lord_Howe", "2026-10-04", "02:15", "02:45", "2026-10-04T02:30:00+11:00", "2026-10-04T02:45:00+11:00"},
	"half an hour back":         {"Australia/Lord_Howe", "2026-04-05", "01:45", "02:15", "2026-04-05T01:45:00+11:00", "2026-04-05T02:15:00+10:30"},
	"two hours forward":         {"Antarctica/Troll", "2026-03-29", "02:30", "18:00", "2026-03-29T03:00:00+02:00", "2026-03-29T18:00:00+02:00"},
	"none":                      {"America/Phoenix", "2026-03-08", "02:30", "18:00", "2026-03-08T02:30:00-07:00", "2026-03-08T18:00:00-07:00"},
	"none, in autumn":           {"America/Phoenix", "2026-11-01", "01:30", "18:00", "2026-11-01T01:30:00-07:00", "2026-11-01T18:00:00-07:00"},
	"no midnight":               {"Asia/Beirut", "2026-03-29", "00:00", "12:00", "2026-03-29T01:00:00+03:00", "2026-03-29T12:00:00+03:00"},
	"back to the day before":    {"Asia/Beirut", "2026-10-24", "22:00", "23:30", "2026-10-24T22:00:00+03:00", "2026-10-24T23:30:00+02:00"},
	"after the day before":      {"Asia/Beirut", "2026-10-25", "00:00", "12:00", "2026-10-25T00:00:00+02:00", "2026-10-25T12:00:00+02:00"},
	"midnight twice":            {"America/Havana", "2026-11-01", "00:00", "00:30", "2026-11-01T00:00:00-04:00", "2026-11-01T00:30:00-05:00"},
	"the last year":             {"America/Los_Angeles", "9999-12-31", "09:00", "18:00", "9999-12-31T09:00:00-08:00", "9999-12-31T18:00:00-08:00"},
}

func TestDecide_HoursAreReadingsOfTheLocalClock(t *testing.T) {
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			o := office(t, c.zone, always(c.open, c.close), tenant.Appointments{})
			opens, closes := instant(c.opens), instant(c.closes)
			now := opens.Add(-48 * time.Hour).Format(time.RFC3339)
			const length = 5 * time.Minute
			confirmed := func(start time.Time) []string {
				return decide(t, o, calendar.Wish{At: start.UTC(), Duration: length}, now)
			}
			want := []string{"confirmed", c.opens, opens.Add(length).Format(time.RFC3339), c.date}
			if diff := cmp.Diff(want, confirmed(opens)); diff != "" {
				t.Errorf("at opening: %s", diff)
			}
			want = []string{"confirmed", closes.Add(-length).In(o.Zone()).Format(time.RFC3339), c.closes, c.date}
			if diff := cmp.Diff(want, confirmed(closes.Add(-length))); diff != "" {
				t.Errorf("up to closing: %s", diff)
			}
			if got := confirmed(opens.Add(-1)); got[0] != "proposed" {
				t.Errorf("before opening: %v", got)
			}
			if got := confirmed(closes.Add(-length + 1)); got[0] != "proposed" {
				t.Errorf("after closing: %v", got)
			}
			if diff := cmp.Diff(closes.Sub(opens), longest(t, o, opens, now)); diff != "" {
				t.Errorf("in between: %s", diff)
			}
		})
	}
}

// longest is the longest appointment from an instant on, in minutes.
func longest(t *testing.T, o calendar.Office, start time.Time, now string) (d time.Duration) {
	t.Helper()
	for n := range 48 * 60 {
		next := time.Duration(n+1) * time.Minute
		if decide(t, o, calendar.Wish{At: start, Duration: next}, now)[0] != "confirmed" {
			return d
		}
		d = next
	}
	return d
}

func TestDecide_HoursThatTheClockSkipsAreClosed(t *testing.T) {
	for name, c := range map[string]struct{ zone, open, close, now, at, next string }{
		"an hour": {
			"America/Los_Angeles", "02:00", "03:00", "2026-03-08T00:00:00-08:00", "2026-03-08T03:00:00-07:00", "2026-03-09T02:00:00-07:00",
		},
		"a day": {
			"Pacific/Apia", "09:00", "10:00", "2011-12-29T12:00:00-10:00", "2011-12-30T12:00:00-10:00", "2011-12-31T09:00:00+14:00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := office(t, c.zone, always(c.open, c.close), tenant.Appointments{HorizonDays: 2})
			got := decide(t, o, calendar.Wish{At: instant(c.at), Duration: time.Hour}, c.now)
			if len(got) < 2 || got[0] != "proposed" || got[1] != c.next {
				t.Errorf("got %v, want first %s", got, c.next)
			}
		})
	}
}

// The grid goes on by elapsed time where clocks change.
func TestDecide_ProposesAlongTheElapsedTime(t *testing.T) {
	for name, c := range map[string]struct {
		now, at string
		want    []string
	}{
		"forward": {
			"2026-03-07T20:00:00-08:00", "2026-03-08T00:00:00-08:00",
			[]string{"proposed", "2026-03-08T01:00:00-08:00", "2026-03-08T01:45:00-08:00", "2026-03-08T03:30:00-07:00"},
		},
		"back": {
			"2026-10-31T20:00:00-07:00", "2026-11-01T00:00:00-07:00",
			[]string{"proposed", "2026-11-01T01:00:00-07:00", "2026-11-01T01:45:00-07:00", "2026-11-01T01:30:00-08:00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := office(t, "America/Los_Angeles", always("01:00", "09:00"), tenant.Appointments{SlotMinutes: 45})
			if diff := cmp.Diff(c.want, decide(t, o, calendar.Wish{At: instant(c.at)}, c.now)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDay_IsLocal(t *testing.T) {
	for _, c := range []struct{ zone, at, want string }{
		{"America/Los_Angeles", "2026-05-04T06:59:59Z", "2026-05-03"},
		{"America/Los_Angeles", "2026-05-04T07:00:00Z", "2026-05-04"},
		{"Pacific/Kiritimati", "2026-05-04T10:00:00Z", "2026-05-05"},
		{"UTC", "0001-01-01T00:00:00Z", "0001-01-01"},
		{"UTC", "9999-12-31T23:59:59-12:00", "10000-01-01"},
	} {
		o := office(t, c.zone, always("09:00", "18:00"), tenant.Appointments{})
		if got := o.Day(instant(c.at)).String(); got != c.want {
			t.Errorf("%s in %s is on %s, want %s", c.at, c.zone, got, c.want)
		}
	}
}
