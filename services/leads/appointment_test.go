package leads_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/leads/internal/calendar"
	"forecourt.internal/services/leads/internal/domain"
)

// answer is what a lead.submit.response says of the lead.
type answer struct {
	LeadID      string              `json:"lead_id"`
	Status      string              `json:"status"`
	Appointment *domain.Appointment `json:"appointment"`
}

func answerOf(t *testing.T, resp *leadsv1.SubmitResponse) answer {
	t.Helper()
	var r struct {
		Data answer `json:"data"`
	}
	if err := json.Unmarshal(resp.GetResponse(), &r); err != nil {
		t.Fatal(err)
	}
	return r.Data
}

// at is an instant on an open day some days ahead, on the South rooftop's clock, which opens at 09:00 and closes at 17:00.
func at(days, hour, minute int) time.Time {
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		panic(err)
	}
	day := time.Now().In(zone).AddDate(0, 0, days)
	return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, 0, 0, zone)
}

// visit is a request for an appointment under a key; the buyer is named by the key too.
func (w *world) visit(key string, start time.Time) []byte {
	return w.request(map[string]any{
		"idempotency_key": key,
		"customer":        map[string]any{"first_name": "Ines", "last_name": "Okafor", "email": key + "@mail.example"},
		"appointment":     map[string]any{"appointment_type": "sales", "appointment_at": start.Format(time.RFC3339), "duration_minutes": 60},
	})
}

// ledgers are the days of the log with their bookings.
func (w *world) ledgers() []calendar.Ledger {
	w.t.Helper()
	stream, err := w.js.Stream(w.t.Context(), "LEADS")
	w.must(err)
	info, err := stream.Info(w.t.Context(), jetstream.WithSubjectFilter("appointment.v1.>"))
	w.must(err)
	var found []calendar.Ledger
	for subject := range info.State.Subjects {
		msg, err := stream.GetLastMsgForSubject(w.t.Context(), subject)
		w.must(err)
		var ledger calendar.Ledger
		w.must(json.Unmarshal(msg.Data, &ledger))
		found = append(found, ledger)
	}
	return found
}

func TestAppointment_OpenTime_ConfirmedAndBooked(t *testing.T) {
	w := newWorld(t)
	start := at(3, 11, 0)
	request := w.visit("k-1", start.UTC())
	resp := w.mustSubmit(request)
	got := answerOf(t, resp)
	id := domain.LeadID(got.LeadID)
	want := answer{LeadID: got.LeadID, Status: "received", Appointment: &domain.Appointment{
		ID: id.AppointmentID(), Status: "confirmed", ConfirmedAt: start.Format(time.RFC3339),
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	booked := []calendar.Ledger{{
		Tenant: dealership, Rooftop: "North", Department: "sales", Date: start.Format(time.DateOnly),
		Bookings: []calendar.Booking{{
			LeadID: got.LeadID, AppointmentID: id.AppointmentID(), Start: start, End: start.Add(time.Hour),
		}},
	}}
	if diff := cmp.Diff(booked, w.ledgers()); diff != "" {
		t.Error(diff)
	}
	w.wantReplay(request, resp)
	w.wantEvents(1)
}

func TestAppointment_TakenTime_OthersAreProposed(t *testing.T) {
	w := newWorld(t)
	start := at(3, 11, 0)
	w.mustSubmit(w.visit("k-1", start))
	request := w.visit("k-2", start)
	resp := w.mustSubmit(request)
	got := answerOf(t, resp)
	if got.Appointment == nil || got.Appointment.Status != "proposed" || len(got.Appointment.ProposedTimes) != 3 {
		t.Fatalf("appointment = %+v, want three other times", got.Appointment)
	}
	w.wantReplay(request, resp)
	for _, proposed := range got.Appointment.ProposedTimes {
		when, err := time.Parse(time.RFC3339, proposed)
		w.must(err)
		if taken := answerOf(t, w.mustSubmit(w.visit("k-"+proposed, when))).Appointment; taken.Status != "confirmed" && !overlaps(when, got.Appointment.ProposedTimes) {
			t.Errorf("%s was proposed, but is %s", proposed, taken.Status)
		}
	}
}

// overlaps says whether an hour from a time on meets that of another, earlier one of the list.
func overlaps(when time.Time, others []string) bool {
	for _, text := range others {
		other, err := time.Parse(time.RFC3339, text)
		if err == nil && other.Before(when) && when.Sub(other) < time.Hour {
			return true
		}
	}
	return false
}

func TestAppointment_NothingOpen_Refused_NothingRecorded(t *testing.T) {
	w := newWorld(t)
	request := w.request(map[string]any{"appointment": map[string]any{
		"appointment_type": "sales", "appointment_at": at(3, 11, 0).Format(time.RFC3339), "duration_minutes": 60 * 9,
	}})
	if fault := w.fault(request); fault.Code != contract.AppointmentTimeUnavailable || len(fault.Problems) != 1 {
		t.Errorf("fault = %+v", fault)
	}
	w.wantEvents(0)
	// The key is free for a corrected request.
	if w.mustSubmit(w.request(nil)).GetReplayed() {
		t.Error("replayed a lead that was refused")
	}
}

func TestAppointment_WithoutTimeOrHours_Requested(t *testing.T) {
	w := newWorld(t)
	for name, test := range map[string]struct {
		tenant      string
		appointment map[string]any
	}{
		"no time":          {dealership, map[string]any{"appointment_type": "sales"}},
		"nobody has hours": {rival, map[string]any{"appointment_type": "sales", "appointment_at": at(3, 11, 0).Format(time.RFC3339)}},
	} {
		t.Run(name, func(t *testing.T) {
			request := w.request(map[string]any{"appointment": test.appointment})
			resp, err := w.submitAs(t.Context(), test.tenant, caller, request)
			w.must(err)
			if got := answerOf(t, resp); got.Appointment == nil || got.Appointment.Status != "requested" {
				t.Errorf("appointment = %+v, want requested", got.Appointment)
			}
		})
	}
	if ledgers := w.ledgers(); len(ledgers) != 0 {
		t.Errorf("booked: %+v", ledgers)
	}
}

func TestAppointment_AtTheRooftopOfTheVehicle(t *testing.T) {
	w := newWorld(t)
	w.mustSubmit(w.request(map[string]any{
		"vehicle_of_interest": map[string]any{"stock": "T5120"},
		"appointment":         map[string]any{"appointment_type": "test_drive", "appointment_at": at(3, 11, 0).Format(time.RFC3339)},
	}))
	ledgers := w.ledgers()
	if len(ledgers) != 1 || ledgers[0].Rooftop != "South" {
		t.Errorf("booked: %+v, want a day at South", ledgers)
	}
}

func TestAppointment_ManyAtOnce_EachSlotOnce(t *testing.T) {
	w := newWorld(t)
	const buyers = 48
	var all sync.WaitGroup
	var mu sync.Mutex
	confirmed := map[string]int{}
	for n := range buyers {
		all.Go(func() {
			resp, err := w.submit(w.visit(fmt.Sprintf("k-%d", n), at(3, 9+n%8, 0)))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if a := answerOf(t, resp).Appointment; a.Status == "confirmed" {
				confirmed[a.ConfirmedAt]++
			}
		})
	}
	all.Wait()
	want := map[string]int{}
	for hour := range 8 {
		want[at(3, 9+hour, 0).Format(time.RFC3339)] = 1
	}
	if diff := cmp.Diff(want, confirmed); diff != "" {
		t.Error(diff)
	}
	ledgers := w.ledgers()
	if len(ledgers) != 1 || len(ledgers[0].Bookings) != 8 {
		t.Errorf("booked: %+v, want 8 bookings of one day", ledgers)
	}
	w.wantEvents(buyers)
}

func TestAppointment_StoreEmptied_TheFirstAnswerAgain(t *testing.T) {
	w := newWorld(t)
	request := w.visit("k-1", at(3, 11, 0))
	first := w.mustSubmit(request)
	w.emptyStore()
	w.wantReplay(request, first)
	w.wantEvents(1)
	if ledgers := w.ledgers(); len(ledgers) != 1 || len(ledgers[0].Bookings) != 1 {
		t.Errorf("booked: %+v, want once", ledgers)
	}
}

func TestAppointment_CrashBeforeComplete_TheFirstAnswerAgain(t *testing.T) {
	w := newBroker(t)
	w.start(diesBefore("Complete"))
	request := w.visit("k-1", at(3, 11, 0))
	first := w.mustSubmit(request)
	w.revive()
	w.wantReplay(request, first)
	if ledgers := w.ledgers(); len(ledgers) != 1 || len(ledgers[0].Bookings) != 1 {
		t.Errorf("booked: %+v, want once", ledgers)
	}
}
