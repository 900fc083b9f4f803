package e2e

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// appointment is the answer to a request for one.
type appointment struct {
	AppointmentID string      `json:"appointment_id"`
	Status        string      `json:"status"`
	ConfirmedAt   time.Time   `json:"confirmed_at"`
	ProposedTimes []time.Time `json:"proposed_times"`
}

// hours are those of every day of openDealership, in its zone.
const (
	zone  = "America/Los_Angeles"
	hours = `{open: "09:00", close: "17:00"}`
)

// openDealership adds a dealership that takes appointments every day, one at a time, with two vehicles.
func openDealership(t *testing.T, s *system, id string) *agent {
	t.Helper()
	document := fmt.Sprintf(`{id: %s, name: Open, rooftops: [{name: Main, timezone: %s, schedules: [{name: sales, value: {
		monday: %[3]s, tuesday: %[3]s, wednesday: %[3]s, thursday: %[3]s, friday: %[3]s, saturday: %[3]s, sunday: %[3]s}}]}]}`, id, zone, hours)
	operate(t, s.Process, document, "tenant", "apply", "-")
	operate(t, s.Process, "Stock,Make,Price\nSTAYS,Kia,9000\nGOES,Kia,9100\n", "inventory", "import", "--tenant", id, "-")
	a := s.agent(id)
	servesStocks(t, a, "GOES", "STAYS")
	return a
}

// slot is ten o'clock at the dealership, in some days.
func slot(t *testing.T, days int) time.Time {
	t.Helper()
	local, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().In(local)
	return time.Date(now.Year(), now.Month(), now.Day()+days, 10, 0, 0, 0, local)
}

// visit is a lead of a buyer who asks for an appointment.
func visit(key, kind string, at time.Time) map[string]any {
	lead := leadArguments(key)
	return with(lead, map[string]any{
		"customer":            with(lead["customer"].(map[string]any), map[string]any{"email": key + "@example.com"}),
		"appointment":         map[string]any{"appointment_type": kind, "appointment_at": at.Format(time.RFC3339)},
		"vehicle_of_interest": map[string]any{"stock": "GOES"},
	})
}

// answered is the appointment that a result has.
func answered(t *testing.T, result toolResult) appointment {
	t.Helper()
	data := decode[struct{ Data outcome }](t, result.StructuredContent).Data
	if data.Appointment == nil {
		t.Fatalf("no appointment in %s", result.StructuredContent)
	}
	return *data.Appointment
}

// bookings are the times that the log holds as given, by appointment.
func bookings(t *testing.T, s *system, tenant string) map[string]time.Time {
	t.Helper()
	type ledger struct {
		Tenant   string `json:"tenant"`
		Bookings []struct {
			AppointmentID string    `json:"appointment_id"`
			Start         time.Time `json:"start"`
		} `json:"bookings"`
	}
	booked := map[string]time.Time{}
	for _, msg := range messages(t, s.Process, "LEADS") {
		var day ledger
		if json.Unmarshal(msg.Data, &day) != nil || day.Tenant != tenant { // each is the whole day so far
			continue
		}
		for _, b := range day.Bookings {
			booked[b.AppointmentID] = b.Start.UTC()
		}
	}
	return booked
}

func slotTaken(t *testing.T, s *system) {
	const tenant = "taken"
	a, at := openDealership(t, s, tenant), slot(t, 2)
	first := answered(t, a.call(t, "aap_lead_submit", visit("first", "test_drive", at)))
	if first.Status != "confirmed" || !first.ConfirmedAt.Equal(at) {
		t.Fatalf("an open time: %+v, want it confirmed", first)
	}
	second := answered(t, a.call(t, "aap_lead_submit", visit("second", "test_drive", at)))
	if second.Status != "proposed" || len(second.ProposedTimes) != 3 {
		t.Fatalf("a taken time: %+v, want three others", second)
	}
	offered := answered(t, a.call(t, "aap_lead_submit", visit("offered", "test_drive", second.ProposedTimes[0])))
	if offered.Status != "confirmed" || offered.ConfirmedAt.Equal(at) {
		t.Errorf("a proposed time: %+v, want it confirmed", offered)
	}
	again := a.call(t, "aap_lead_submit", visit("first", "test_drive", at))
	if diff := cmp.Diff(first, answered(t, again)); diff != "" || !replayed(t, again) {
		t.Errorf("the first again, replayed = %t:\n%s", replayed(t, again), diff)
	}
	want := map[string]time.Time{first.AppointmentID: at.UTC(), offered.AppointmentID: second.ProposedTimes[0].UTC()}
	if diff := cmp.Diff(want, bookings(t, s, tenant)); diff != "" {
		t.Errorf("bookings:\n%s", diff)
	}
}

func slotForMany(t *testing.T, s *system) {
	const tenant, buyers = "wanted", 24
	a, at := openDealership(t, s, tenant), slot(t, 3)
	var leads []map[string]any
	for i := range buyers {
		leads = append(leads, visit(fmt.Sprintf("buyer-%d", i), "sales", at))
	}
	confirmed, once := map[string]time.Time{}, map[string]int{}
	for _, result := range atOnce(t, a, leads) {
		once[leadOf(t, result)]++
		switch got := answered(t, result); {
		case got.Status == "confirmed":
			confirmed[got.AppointmentID] = got.ConfirmedAt.UTC()
		case got.Status != "proposed" || len(got.ProposedTimes) == 0:
			t.Errorf("%+v, want other times", got)
		}
	}
	if len(confirmed) != 1 || len(once) != buyers {
		t.Errorf("%d of %d leads have the slot, want 1 of %d", len(confirmed), len(once), buyers)
	}
	if diff := cmp.Diff(confirmed, bookings(t, s, tenant)); diff != "" {
		t.Errorf("bookings:\n%s", diff)
	}
	if diff := cmp.Diff(once, leadEventsOf(t, s.Process, tenant)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}
