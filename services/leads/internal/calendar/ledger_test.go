package calendar_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

func TestLedger_IsTheDataOfItsEvent(t *testing.T) {
	o := office(t, "America/Los_Angeles", always("09:00", "18:00"), tenant.Appointments{})
	b := between("2026-05-04T13:00:00-07:00", "2026-05-04T13:30:00-07:00")
	b.LeadID, b.AppointmentID = "lead_01JT3F6Q5X9M2K7V0A4B8C6D1E", "appt_01JT3F6Q5X9M2K7V0A4B8C6D1E"
	ledger := o.Ledger("demo", o.Day(b.Start))
	ledger.Bookings = append(ledger.Bookings, b)
	text, err := json.Marshal(ledger)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"tenant":"demo","rooftop":"North","department":"sales","date":"2026-05-04","bookings":[` +
		`{"lead_id":"lead_01JT3F6Q5X9M2K7V0A4B8C6D1E","appointment_id":"appt_01JT3F6Q5X9M2K7V0A4B8C6D1E",` +
		`"start":"2026-05-04T13:00:00-07:00","end":"2026-05-04T13:30:00-07:00"}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	value, err := contract.DecodeJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	if fault := check.Document("event-appointment-booked.schema.json", value); fault != nil {
		t.Errorf("%v %+v", fault, fault.Problems)
	}
	var again calendar.Ledger
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ledger, again); diff != "" {
		t.Error(diff)
	}
}

func TestLedger_MostBookingsFitAMessage(t *testing.T) {
	const most, broker = 5000, 1 << 20
	b := calendar.Booking{
		LeadID: "lead_01JT3F6Q5X9M2K7V0A4B8C6D1E", AppointmentID: "appt_01JT3F6Q5X9M2K7V0A4B8C6D1E",
		Start: instant("2026-05-04T13:00:00.123456789-07:00"), End: instant("2026-05-04T13:30:00.123456789-07:00"),
	}
	ledger := calendar.Ledger{Tenant: strings.Repeat("t", 64), Rooftop: "North", Department: "service", Date: "2026-05-04"}
	for range most {
		ledger.Bookings = append(ledger.Bookings, b)
	}
	text, err := json.Marshal(ledger)
	if err != nil {
		t.Fatal(err)
	}
	if room := broker - len(text); room < 16<<10 { // for headers and a rooftop's name
		t.Errorf("the ledger has %d bytes, %d less than a message", len(text), room)
	}
}

func TestSubject_NamesOneDayOfOneDepartment(t *testing.T) {
	week := tenant.Schedule{Value: always("09:00", "18:00")}
	seen := make(map[string]string)
	for _, rooftop := range []string{"North", "north", "North ", "Nørd > *.", strings.Repeat("x", 1000)} {
		for _, appointment := range []string{"sales", "service"} {
			o, ok := calendar.OfficeOf(&tenant.Document{Rooftops: []tenant.Rooftop{at(rooftop, "UTC", week)}}, rooftop, appointment)
			if !ok {
				t.Fatal("the hours are not known")
			}
			for _, day := range []string{"2026-05-04T00:00:00Z", "2026-05-05T00:00:00Z"} {
				got := o.Subject("demo", o.Day(instant(day)))
				if !regexp.MustCompile(`^appointment\.v1\.demo\.[a-z2-7]{16}\.(sales|service)\.2026-05-0[45]$`).MatchString(got) {
					t.Errorf("subject = %q", got)
				}
				if other, taken := seen[got]; taken {
					t.Errorf("%s is that of %s too", got, other)
				}
				seen[got] = rooftop + " " + appointment + " " + day
			}
		}
	}
	// Subjects are in the log for as long as it is kept: they must not change.
	const want = "North sales 2026-05-04T00:00:00Z"
	if diff := cmp.Diff(want, seen["appointment.v1.demo.ip4fho5vskdabgfh.sales.2026-05-04"]); diff != "" {
		t.Error(diff)
	}
}
