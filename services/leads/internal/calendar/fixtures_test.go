package calendar_test

import (
	"testing"
	"time"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// always is a week of the same hours.
func always(open, close string) map[string]*tenant.Hours {
	week := make(map[string]*tenant.Hours)
	for _, day := range []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		week[day] = &tenant.Hours{Open: open, Close: close}
	}
	return week
}

// at is a rooftop with schedules by department.
func at(name, zone string, schedules ...tenant.Schedule) tenant.Rooftop {
	return tenant.Rooftop{Name: name, Timezone: zone, Schedules: schedules}
}

func dealer(a tenant.Appointments, rooftops ...tenant.Rooftop) *tenant.Document {
	return &tenant.Document{ID: "demo", Name: "Demo", Appointments: a, Rooftops: rooftops}
}

// office is the sales department of the only rooftop.
func office(t *testing.T, zone string, week map[string]*tenant.Hours, a tenant.Appointments) calendar.Office {
	t.Helper()
	o, ok := calendar.OfficeOf(dealer(a, at("North", zone, tenant.Schedule{Name: "sales", Value: week})), "", "sales")
	if !ok {
		t.Fatal("the hours are not known")
	}
	return o
}

func instant(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return t
}

// booked returns the bookings of a day from a list of all.
func booked(o calendar.Office, all ...calendar.Booking) func(calendar.Date) ([]calendar.Booking, error) {
	return func(d calendar.Date) ([]calendar.Booking, error) {
		var found []calendar.Booking
		for _, b := range all {
			if o.Day(b.Start) == d {
				found = append(found, b)
			}
		}
		return found, nil
	}
}

// between is a booking.
func between(start, end string) calendar.Booking {
	return calendar.Booking{Start: instant(start), End: instant(end)}
}

// decide returns the decision as text: "confirmed" with start, end and date, "proposed" with the times, or "unavailable".
func decide(t *testing.T, o calendar.Office, w calendar.Wish, now string, all ...calendar.Booking) []string {
	t.Helper()
	decision, err := o.Decide(w, instant(now), booked(o, all...))
	if err != nil {
		t.Fatal(err)
	}
	return text(decision)
}

func text(decision calendar.Decision) []string {
	switch d := decision.(type) {
	case calendar.Confirmed:
		return []string{"confirmed", d.Start.Format(time.RFC3339Nano), d.End.Format(time.RFC3339Nano), d.Date.String()}
	case calendar.Proposed:
		lines := []string{"proposed"}
		for _, t := range d.Times {
			lines = append(lines, t.Format(time.RFC3339Nano))
		}
		return lines
	default:
		return []string{"unavailable"}
	}
}
