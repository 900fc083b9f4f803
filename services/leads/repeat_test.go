package leads_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/leads"
)

const authenticated = "oauth|https://id.example|shopper|user-1"

// of submits a request of a caller to the usual dealership.
func (w *world) of(caller string, request []byte) *leadsv1.SubmitResponse {
	w.t.Helper()
	resp, err := w.submitAs(w.t.Context(), dealership, caller, request)
	w.must(err)
	return resp
}

// again is the usual request under another key, with a change.
func (w *world) again(key string, change map[string]any) []byte {
	return w.request(with(map[string]any{"idempotency_key": key, "vehicle_of_interest": map[string]any{"stock": "T5120"}}, change))
}

// records are the events of the dealership's leads, in order.
func (w *world) records() []leads.Record {
	w.t.Helper()
	var found []leads.Record
	n := w.events(dealership)
	done := fmt.Errorf("all %d", n)
	if n == 0 {
		return nil
	}
	err := leads.Tail(w.t.Context(), w.js, dealership, w.logs.logger(), func(r leads.Record) error {
		found = append(found, r)
		if len(found) == n {
			return done
		}
		return nil
	})
	if err != done {
		w.t.Fatal(err)
	}
	return found
}

// kinds are the subjects of records, each with the lead it is of.
func kinds(records []leads.Record) []string {
	var found []string
	for _, r := range records {
		found = append(found, r.Subject[strings.LastIndexByte(r.Subject, '.')+1:]+" "+r.LeadID)
	}
	return found
}

func TestRepeat_SameAuthenticatedCaller_DuplicateOfTheFirst(t *testing.T) {
	w := newWorld(t)
	first := answerOf(t, w.of(authenticated, w.again("k-1", nil)))
	request := w.again("k-2", map[string]any{"message": "Still there?"})
	resp := w.of(authenticated, request)
	if diff := cmp.Diff(answer{LeadID: first.LeadID, Status: "duplicate"}, answerOf(t, resp)); diff != "" {
		t.Error(diff)
	}
	records := w.records()
	if diff := cmp.Diff([]string{"submitted " + first.LeadID, "repeated " + first.LeadID}, kinds(records)); diff != "" {
		t.Fatal(diff)
	}
	checkSchema(t, "event-lead-repeated.schema.json", records[1].Data)
	var data struct{ Request json.RawMessage }
	w.must(json.Unmarshal(records[1].Data, &data))
	if diff := cmp.Diff(string(request), string(data.Request)); diff != "" {
		t.Errorf("the event's request is not what was sent: %s", diff)
	}

	again := w.of(authenticated, request)
	if diff := cmp.Diff(string(resp.GetResponse()), string(again.GetResponse())); diff != "" || !again.GetReplayed() {
		t.Errorf("replayed = %v, %s", again.GetReplayed(), diff)
	}
	w.wantEvents(2)
}

func checkSchema(t *testing.T, schema string, data []byte) {
	t.Helper()
	validator, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := contract.DecodeJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	if fault := validator.Document(schema, decoded); fault != nil {
		t.Errorf("the event breaks its schema: %v %+v", fault, fault.Problems)
	}
}

func TestRepeat_AnyoneElse_TakenAsNew_TheCRMIsTold(t *testing.T) {
	for name, callers := range map[string][2]string{
		"two public callers":              {"public|a", "public|b"},
		"one public caller":               {"public|a", "public|a"},
		"another authenticated caller":    {authenticated, "oauth|https://id.example|shopper|user-2"},
		"a public after an authenticated": {authenticated, "public|a"},
		"an authenticated after a public": {"public|a", authenticated},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			first := answerOf(t, w.of(callers[0], w.again("k-1", nil)))
			resp := w.of(callers[1], w.again("k-2", nil))
			second := answerOf(t, resp)
			if second.Status != "received" || second.LeadID == first.LeadID || strings.Contains(string(resp.GetResponse()), first.LeadID) {
				t.Errorf("the answer tells of the earlier lead: %s", resp.GetResponse())
			}
			records := w.records()
			if diff := cmp.Diff([]string{"submitted " + first.LeadID, "submitted " + second.LeadID}, kinds(records)); diff != "" {
				t.Fatal(diff)
			}
			checkSchema(t, "event-lead-submitted.schema.json", records[1].Data)
			var data struct {
				PossibleDuplicateOf string `json:"possible_duplicate_of"`
			}
			w.must(json.Unmarshal(records[1].Data, &data))
			if data.PossibleDuplicateOf != first.LeadID {
				t.Errorf("possible_duplicate_of = %q, want %s", data.PossibleDuplicateOf, first.LeadID)
			}
		})
	}
}

func TestRepeat_AnotherBuyerVehicleOrTime_ANewLead(t *testing.T) {
	customer := func(email string) map[string]any {
		return map[string]any{"first_name": "Ines", "last_name": "Okafor", "email": email}
	}
	for name, test := range map[string]struct {
		change map[string]any
		later  time.Duration
	}{
		"another buyer":           {map[string]any{"customer": customer("other@mail.example")}, 0},
		"another vehicle":         {map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5121"}}, 0},
		"no vehicle":              {map[string]any{"vehicle_of_interest": nil}, 0},
		"a day and a minute late": {nil, 24*time.Hour + time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.of(authenticated, w.again("k-1", nil))
			w.clock.advance(test.later)
			resp := w.of(authenticated, w.again("k-2", test.change))
			if got := answerOf(t, resp); got.Status != "received" {
				t.Errorf("status = %s, want received", got.Status)
			}
		})
	}
}

func TestRepeat_AfterRestart_StillKnown(t *testing.T) {
	w := newWorld(t)
	first := answerOf(t, w.of(authenticated, w.again("k-1", nil)))
	w.restart()
	if got := answerOf(t, w.of(authenticated, w.again("k-2", nil))); got.Status != "duplicate" || got.LeadID != first.LeadID {
		t.Errorf("answer = %+v, want a duplicate of %s", got, first.LeadID)
	}
}

func TestRepeat_AtTheSameTime_OneLead(t *testing.T) {
	w := newWorld(t)
	const keys = 32
	var all sync.WaitGroup
	var mu sync.Mutex
	status, ids := map[string]int{}, map[string]int{}
	for n := range keys {
		all.Go(func() {
			resp, err := w.submitAs(t.Context(), dealership, authenticated, w.again(fmt.Sprintf("k-%d", n), nil))
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			a := answerOf(t, resp)
			status[a.Status]++
			ids[a.LeadID]++
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]int{"received": 1, "duplicate": keys - 1}, status); diff != "" || len(ids) != 1 {
		t.Errorf("%d leads; %s", len(ids), diff)
	}
	w.wantEvents(keys)
}

func TestRepeat_StoreEmptiedOrCrashed_TheSameAnswerAgain(t *testing.T) {
	for name, lose := range map[string]func(w *world){
		"store emptied":                          func(w *world) { w.emptyStore() },
		"died before the outcome was remembered": func(w *world) { w.revive() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newBroker(t)
			w.start(diesBefore("Complete"))
			w.of(authenticated, w.again("k-1", nil))
			request := w.again("k-2", nil)
			resp := w.of(authenticated, request)
			lose(w)
			again := w.of(authenticated, request)
			if diff := cmp.Diff(string(resp.GetResponse()), string(again.GetResponse())); diff != "" || !again.GetReplayed() {
				t.Errorf("replayed = %v, %s", again.GetReplayed(), diff)
			}
			w.wantEvents(2)
		})
	}
}

func TestRepeat_OfABookedAppointment_KeepsIt(t *testing.T) {
	w := newWorld(t)
	visit := func(key string, start time.Time) []byte {
		return w.again(key, map[string]any{"appointment": map[string]any{
			"appointment_type": "test_drive", "appointment_at": start.Format(time.RFC3339),
		}})
	}
	first := answerOf(t, w.of(authenticated, visit("k-1", at(3, 11, 0))))
	second := answerOf(t, w.of(authenticated, visit("k-2", at(3, 11, 0))))
	if diff := cmp.Diff(answer{LeadID: first.LeadID, Status: "duplicate", Appointment: first.Appointment}, second); diff != "" {
		t.Error(diff)
	}
	// It was not booked for longer, and there is one seat.
	longer := answerOf(t, w.of(authenticated, w.again("k-long", map[string]any{"appointment": map[string]any{
		"appointment_type": "test_drive", "appointment_at": at(3, 11, 0).Format(time.RFC3339), "duration_minutes": 90,
	}})))
	if longer.Appointment.Status != "proposed" {
		t.Errorf("appointment = %+v, want other times than one that is booked for half an hour", longer.Appointment)
	}
	// Another time is an appointment of its own.
	third := answerOf(t, w.of(authenticated, visit("k-3", at(3, 14, 0))))
	if third.Appointment.Status != "confirmed" || third.Appointment.ID == first.Appointment.ID {
		t.Errorf("appointment = %+v, want one of its own", third.Appointment)
	}
	if ledgers := w.ledgers(); len(ledgers) != 1 || len(ledgers[0].Bookings) != 2 {
		t.Errorf("booked: %+v, want two bookings", ledgers)
	}
}
