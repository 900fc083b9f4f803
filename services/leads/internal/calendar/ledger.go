package calendar

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"
)

// maxBookings bounds the ledger of a day, which is one message of the log: a booking is less than 200 bytes, and the broker takes
// messages of up to 1 MiB unless it is told otherwise.
const maxBookings = 5000

// Booking is an appointment that was confirmed: the time from Start up to but not including End.
type Booking struct {
	LeadID        string    `json:"lead_id"`
	AppointmentID string    `json:"appointment_id"`
	Start         time.Time `json:"start"`
	End           time.Time `json:"end"`
}

// Ledger is all that is booked at an office for a day. Its JSON is valid against event-appointment-booked.schema.json once it has a
// booking; the last one of a day counts.
type Ledger struct {
	Tenant     string `json:"tenant"`
	Rooftop    string `json:"rooftop"`
	Department string `json:"department"`
	// Date is 2006-01-02, local to the rooftop.
	Date     string    `json:"date"`
	Bookings []Booking `json:"bookings"`
}

// Ledger is the one of a day for which nothing is booked.
func (o Office) Ledger(tenant string, d Date) Ledger {
	return Ledger{Tenant: tenant, Rooftop: o.rooftop, Department: o.department, Date: d.String()}
}

// Subject names the ledger of a day in the log.
func (o Office) Subject(tenant string, d Date) string { return o.Ledger(tenant, d).Subject() }

// Subject names the ledger in the log: appointment.v1.<tenant>.<rooftop token>.<department>.<date>.
func (l Ledger) Subject() string {
	return "appointment.v1." + l.Tenant + "." + rooftopToken(l.Rooftop) + "." + l.Department + "." + l.Date
}

// rooftopToken makes a token of a subject of any name: 80 bits of its SHA-256 as 16 lower-case letters and digits.
func rooftopToken(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:10]))
}
