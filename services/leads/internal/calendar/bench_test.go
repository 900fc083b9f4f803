package calendar_test

import (
	"testing"
	"time"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

func BenchmarkDecide(b *testing.B) {
	doc := dealer(tenant.Appointments{HorizonDays: 365, SlotMinutes: 5}, at("North", "America/Los_Angeles", tenant.Schedule{Value: always("07:00", "20:00")}))
	now := instant("2026-05-03T12:00:00-07:00")
	full := []calendar.Booking{{Start: now.Add(-time.Hour), End: now.AddDate(2, 0, 0)}}
	for name, c := range map[string]struct {
		at     string
		booked []calendar.Booking
	}{
		"confirmed":   {"2026-05-04T10:00:00-07:00", nil},
		"proposed":    {"2026-05-04T21:00:00-07:00", nil},
		"unavailable": {"2026-05-04T10:00:00-07:00", full},
	} {
		b.Run(name, func(b *testing.B) {
			wish := calendar.Wish{At: instant(c.at)}
			for b.Loop() {
				o, _ := calendar.OfficeOf(doc, "", "sales")
				if _, err := o.Decide(wish, now, func(calendar.Date) ([]calendar.Booking, error) { return c.booked, nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
