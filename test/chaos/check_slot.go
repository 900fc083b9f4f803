package chaos

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Visit is an appointment that an answer confirmed.
type Visit struct {
	AppointmentID string
	Department    string // sales or service
	Start, End    time.Time
}

// Day is the ledger of a day, with every appointment that is booked for it.
type Day struct {
	Sequence   uint64 `json:"-"`
	Subject    string `json:"-"`
	Tenant     string
	Department string
	Bookings   []Booking
}

// Booking is an appointment in a ledger.
type Booking struct {
	LeadID        string `json:"lead_id"`
	AppointmentID string `json:"appointment_id"`
	Start, End    time.Time
}

func (b Booking) equal(o Booking) bool {
	return b.LeadID == o.LeadID && b.AppointmentID == o.AppointmentID && b.Start.Equal(o.Start) && b.End.Equal(o.End)
}

// appointments holds the log to that no place is given twice, and that events and ledgers tell the same.
func (c *checker) appointments() {
	c.ledgers()
	c.bookings()
	type office struct{ tenant, department string }
	visits := map[office][]Lead{}
	seen := map[string]bool{} // a lead that is repeated keeps its appointment
	for _, lead := range c.Log.Leads {
		if lead.Visit != nil && !seen[lead.Visit.AppointmentID] {
			seen[lead.Visit.AppointmentID] = true
			at := office{lead.Key.Tenant, lead.Visit.Department}
			visits[at] = append(visits[at], lead)
		}
	}
	for at, leads := range visits {
		c.seats(leads, c.Seats[at.tenant])
	}
}

// seats counts how many visits there are at the start of each.
func (c *checker) seats(leads []Lead, seats int) {
	slices.SortFunc(leads, func(a, b Lead) int {
		return cmp.Or(a.Visit.Start.Compare(b.Visit.Start), cmp.Compare(a.Sequence, b.Sequence))
	})
	var there []Lead
	for _, lead := range leads {
		there = slices.DeleteFunc(there, func(l Lead) bool { return !l.Visit.End.After(lead.Visit.Start) })
		there = append(there, lead)
		if len(there) > seats {
			c.report("no place is given twice", lead.Key, "%s at %s: events %s for %d places",
				lead.Visit.Department, lead.Visit.Start, sequences(there), seats)
		}
	}
}

func sequences(leads []Lead) string {
	var b strings.Builder
	for _, lead := range leads {
		b.WriteString(" " + lead.String())
	}
	return b.String()
}

// ledgers holds the ledgers of a day to each other: each has all of the one before and one booking more.
func (c *checker) ledgers() {
	last := map[string]Day{}
	for _, day := range c.Log.Days {
		before, n := last[day.Subject], len(day.Bookings)
		if n != len(before.Bookings)+1 || !slices.EqualFunc(before.Bookings, day.Bookings[:min(n, len(before.Bookings))], Booking.equal) {
			c.report("a ledger has one booking more than the one before", Key{}, "%s: event %d after event %d", day.Subject, day.Sequence, before.Sequence)
		}
		last[day.Subject] = day
	}
}

// bookings holds the last ledger of each day and the leads to each other.
func (c *checker) bookings() {
	last := map[string]Day{}
	for _, day := range c.Log.Days {
		last[day.Subject] = day
	}
	booked := map[string]Booking{}
	for _, day := range last {
		for _, b := range day.Bookings {
			if _, again := booked[b.AppointmentID]; again {
				c.report("an appointment is booked once", Key{}, "%s twice, also in %s", b.AppointmentID, day.Subject)
			}
			booked[b.AppointmentID] = b
		}
	}
	confirmed := map[string]bool{}
	for _, lead := range c.Log.Leads {
		if lead.Visit == nil {
			continue
		}
		confirmed[lead.Visit.AppointmentID] = true
		want := Booking{lead.LeadID, lead.Visit.AppointmentID, lead.Visit.Start, lead.Visit.End}
		if b, ok := booked[lead.Visit.AppointmentID]; !ok || !b.equal(want) {
			c.report("what is confirmed is booked", lead.Key, "event %d confirms %+v, booked is %+v", lead.Sequence, want, b)
		}
	}
	for id, b := range booked {
		if !confirmed[id] {
			c.report("what is booked is confirmed", Key{}, "%+v is in no lead", b)
		}
	}
}
