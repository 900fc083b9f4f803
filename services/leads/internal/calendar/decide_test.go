package calendar_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// 2026-05-04 is a Monday. The office is open from 09:00 to 12:00 on Mondays and Tuesdays.
var mornings = map[string]*tenant.Hours{
	"monday": {Open: "09:00", Close: "12:00"}, "tuesday": {Open: "09:00", Close: "12:00"}, "sunday": nil,
}

func TestDecide(t *testing.T) {
	const now = "2026-05-03T12:00:00-07:00" // a Sunday
	hour := tenant.Appointments{SlotMinutes: 60}
	monday := between("2026-05-04T09:00:00-07:00", "2026-05-04T12:00:00-07:00")
	for name, c := range map[string]struct {
		settings tenant.Appointments
		at       string
		minutes  int
		now      string
		booked   []calendar.Booking
		want     []string
	}{
		"inside hours": {
			at:   "2026-05-04T10:00:00-07:00",
			want: []string{"confirmed", "2026-05-04T10:00:00-07:00", "2026-05-04T10:30:00-07:00", "2026-05-04"},
		},
		"the same instant with another offset": {
			at:   "2026-05-05T03:00:00+10:00",
			want: []string{"confirmed", "2026-05-04T10:00:00-07:00", "2026-05-04T10:30:00-07:00", "2026-05-04"},
		},
		"beside the grid, to the nanosecond": {
			at: "2026-05-04T10:07:03.000000001-07:00", minutes: 20,
			want: []string{"confirmed", "2026-05-04T10:07:03.000000001-07:00", "2026-05-04T10:27:03.000000001-07:00", "2026-05-04"},
		},
		"from opening to closing": {
			at: "2026-05-04T09:00:00-07:00", minutes: 180,
			want: []string{"confirmed", "2026-05-04T09:00:00-07:00", "2026-05-04T12:00:00-07:00", "2026-05-04"},
		},
		"longer than any opening": {at: "2026-05-04T09:00:00-07:00", minutes: 181, want: []string{"unavailable"}},
		"over closing": {
			at:   "2026-05-04T11:45:00-07:00",
			want: []string{"proposed", "2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04T11:30:00-07:00"},
		},
		"before opening": {
			settings: hour, at: "2026-05-04T08:59:59-07:00",
			want: []string{"proposed", "2026-05-04T09:00:00-07:00", "2026-05-04T10:00:00-07:00", "2026-05-04T11:00:00-07:00"},
		},
		"on a closed day, on both sides": {
			settings: tenant.Appointments{SlotMinutes: 60}, now: "2026-05-04T00:00:00-07:00", at: "2026-05-08T22:00:00-07:00", // Friday
			want: []string{"proposed", "2026-05-11T09:00:00-07:00", "2026-05-11T10:00:00-07:00", "2026-05-11T11:00:00-07:00"},
		},
		"of two as near the earlier": {
			settings: hour, at: "2026-05-04T23:00:00-07:00", minutes: 120, // 13 hours after 10:00, 10 hours before 09:00 of Tuesday
			want: []string{"proposed", "2026-05-04T10:00:00-07:00", "2026-05-05T09:00:00-07:00", "2026-05-05T10:00:00-07:00"},
		},
		"taken": {
			at: "2026-05-04T10:00:00-07:00", booked: []calendar.Booking{between("2026-05-04T10:29:00-07:00", "2026-05-04T10:40:00-07:00")},
			want: []string{"proposed", "2026-05-04T09:00:00-07:00", "2026-05-04T09:30:00-07:00", "2026-05-04T11:00:00-07:00"},
		},
		"between two that touch it": {
			at: "2026-05-04T10:00:00-07:00",
			booked: []calendar.Booking{
				between("2026-05-04T09:30:00-07:00", "2026-05-04T10:00:00-07:00"), between("2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00"),
			},
			want: []string{"confirmed", "2026-05-04T10:00:00-07:00", "2026-05-04T10:30:00-07:00", "2026-05-04"},
		},
		"the last seat": {
			settings: tenant.Appointments{Capacity: 2}, at: "2026-05-04T10:00:00-07:00", minutes: 60,
			booked: []calendar.Booking{
				between("2026-05-04T10:00:00-07:00", "2026-05-04T10:30:00-07:00"), between("2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00"),
			},
			want: []string{"confirmed", "2026-05-04T10:00:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04"},
		},
		"more booked than there are seats now": {
			settings: tenant.Appointments{SlotMinutes: 60, HorizonDays: 1}, at: "2026-05-04T10:00:00-07:00",
			booked: []calendar.Booking{
				between("2026-05-04T09:00:00-07:00", "2026-05-04T11:00:00-07:00"), between("2026-05-04T10:00:00-07:00", "2026-05-04T10:30:00-07:00"),
			},
			want: []string{"proposed", "2026-05-04T11:00:00-07:00"},
		},
		"one open time": {
			settings: tenant.Appointments{SlotMinutes: 60, HorizonDays: 1}, at: "2026-05-04T13:00:00-07:00",
			booked: []calendar.Booking{between("2026-05-04T10:00:00-07:00", "2026-05-04T12:00:00-07:00")},
			want:   []string{"proposed", "2026-05-04T09:00:00-07:00"},
		},
		"nothing left up to the horizon": {
			settings: tenant.Appointments{HorizonDays: 1}, at: "2026-05-04T10:00:00-07:00", booked: []calendar.Booking{monday},
			want: []string{"unavailable"},
		},
		"on the last day of the horizon": {
			settings: tenant.Appointments{HorizonDays: 2}, at: "2026-05-05T11:30:00-07:00",
			want: []string{"confirmed", "2026-05-05T11:30:00-07:00", "2026-05-05T12:00:00-07:00", "2026-05-05"},
		},
		"after the horizon": {
			settings: tenant.Appointments{HorizonDays: 1}, at: "2026-05-05T11:30:00-07:00",
			want: []string{"proposed", "2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04T11:30:00-07:00"},
		},
		"in the year 9999": {
			settings: hour, at: "9999-12-31T23:59:59-12:00",
			want: []string{"proposed", "2026-06-30T09:00:00-07:00", "2026-06-30T10:00:00-07:00", "2026-06-30T11:00:00-07:00"},
		},
		"in the year 1": {
			settings: hour, at: "0001-01-02T00:00:00Z",
			want: []string{"proposed", "2026-05-04T09:00:00-07:00", "2026-05-04T10:00:00-07:00", "2026-05-04T11:00:00-07:00"},
		},
		"with just the notice": {
			now: "2026-05-04T09:07:00-07:00", at: "2026-05-04T10:07:00-07:00",
			want: []string{"confirmed", "2026-05-04T10:07:00-07:00", "2026-05-04T10:37:00-07:00", "2026-05-04"},
		},
		"with less than the notice": {
			now: "2026-05-04T09:07:00-07:00", at: "2026-05-04T10:06:59-07:00",
			want: []string{"proposed", "2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04T11:30:00-07:00"},
		},
		"without a notice, now": {
			settings: tenant.Appointments{NoticeMinutes: new(0)}, now: "2026-05-04T10:30:00-07:00", at: "2026-05-04T10:30:00-07:00",
			want: []string{"confirmed", "2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04"},
		},
		"without a notice, in the past": {
			settings: tenant.Appointments{NoticeMinutes: new(0)}, now: "2026-05-04T10:30:00-07:00", at: "2026-05-04T10:00:00-07:00",
			want: []string{"proposed", "2026-05-04T10:30:00-07:00", "2026-05-04T11:00:00-07:00", "2026-05-04T11:30:00-07:00"},
		},
		"a notice of days": {
			settings: tenant.Appointments{SlotMinutes: 60, NoticeMinutes: new(36 * 60)}, at: "2026-05-04T10:00:00-07:00",
			want: []string{"proposed", "2026-05-05T09:00:00-07:00", "2026-05-05T10:00:00-07:00", "2026-05-05T11:00:00-07:00"},
		},
		"on a leap day": {
			now: "2028-02-28T23:00:00-08:00", at: "2028-02-29T09:00:00-08:00", // a Tuesday
			want: []string{"confirmed", "2028-02-29T09:00:00-08:00", "2028-02-29T09:30:00-08:00", "2028-02-29"},
		},
		"over the leap day": {
			settings: tenant.Appointments{HorizonDays: 7}, now: "2028-02-28T23:00:00-08:00", at: "2028-03-06T09:00:00-08:00",
			want: []string{"confirmed", "2028-03-06T09:00:00-08:00", "2028-03-06T09:30:00-08:00", "2028-03-06"},
		},
		"over the turn of the year": {
			settings: tenant.Appointments{HorizonDays: 4}, now: "2026-12-31T23:59:59-08:00", at: "2027-01-04T09:00:00-08:00",
			want: []string{"confirmed", "2027-01-04T09:00:00-08:00", "2027-01-04T09:30:00-08:00", "2027-01-04"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if c.now == "" {
				c.now = now
			}
			o := office(t, "America/Los_Angeles", mornings, c.settings)
			wish := calendar.Wish{At: instant(c.at), Duration: time.Duration(c.minutes) * time.Minute}
			if diff := cmp.Diff(c.want, decide(t, o, wish, c.now, c.booked...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Each day that is asked for is a read of the log.
func TestDecide_AsksForOpenDaysOnce_NearestFirst(t *testing.T) {
	const now = "2026-05-03T12:00:00-07:00"
	full := calendar.Booking{Start: instant("2026-05-01T00:00:00Z"), End: instant("2027-05-01T00:00:00Z")}
	for name, c := range map[string]struct {
		at   string
		full bool
		want []string
	}{
		"the day of a wish that is confirmed": {"2026-05-11T10:00:00-07:00", false, []string{"2026-05-11"}},
		"no other than has the nearest":       {"2026-05-11T08:00:00-07:00", false, []string{"2026-05-11"}},
		"all there are":                       {"2026-05-11T10:00:00-07:00", true, []string{"2026-05-11", "2026-05-12", "2026-05-05", "2026-05-04", "2026-05-18", "2026-05-19"}},
		"after the horizon":                   {"9999-05-11T10:00:00-07:00", true, []string{"2026-05-19", "2026-05-18", "2026-05-12", "2026-05-11", "2026-05-05", "2026-05-04"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := office(t, "America/Los_Angeles", mornings, tenant.Appointments{HorizonDays: 16})
			var asked []string
			_, err := o.Decide(calendar.Wish{At: instant(c.at)}, instant(now), func(d calendar.Date) ([]calendar.Booking, error) {
				asked = append(asked, d.String())
				if c.full {
					return []calendar.Booking{full}, nil
				}
				return nil, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, asked); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecide_FailsWhenTheBookingsCannotBeRead(t *testing.T) {
	o := office(t, "America/Los_Angeles", mornings, tenant.Appointments{})
	away := errors.New("the log is away")
	for name, at := range map[string]string{"of the wish": "2026-05-04T10:00:00-07:00", "of another day": "2026-05-03T10:00:00-07:00"} {
		t.Run(name, func(t *testing.T) {
			decision, err := o.Decide(calendar.Wish{At: instant(at)}, instant("2026-05-03T12:00:00-07:00"),
				func(calendar.Date) ([]calendar.Booking, error) { return nil, away })
			if decision != nil || !errors.Is(err, away) {
				t.Errorf("decision = %v, err = %v", decision, err)
			}
		})
	}
}

// A ledger that outgrows the broker's messages would make every later booking of its day fail.
func TestDecide_DayWithTheMostBookingsIsFull(t *testing.T) {
	const most = 5000
	o := office(t, "America/Los_Angeles", mornings, tenant.Appointments{Capacity: 1000})
	var all []calendar.Booking
	for n := range most {
		start := instant("2026-05-04T09:00:00-07:00").Add(time.Duration(n%500) * 15 * time.Second)
		all = append(all, calendar.Booking{LeadID: fmt.Sprint(n), Start: start, End: start.Add(15 * time.Second)})
	}
	wish := calendar.Wish{At: instant("2026-05-04T11:30:00-07:00")}
	for n, want := range map[int][]string{
		most - 1: {"confirmed", "2026-05-04T11:30:00-07:00", "2026-05-04T12:00:00-07:00", "2026-05-04"},
		most:     {"proposed", "2026-05-05T09:00:00-07:00", "2026-05-05T09:30:00-07:00", "2026-05-05T10:00:00-07:00"},
	} {
		if diff := cmp.Diff(want, decide(t, o, wish, "2026-05-03T12:00:00-07:00", all[:n]...)); diff != "" {
			t.Errorf("%d bookings: %s", n, diff)
		}
	}
}
