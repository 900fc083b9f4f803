package leads_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/services/leads"
)

// leadID reads the id in a response.
func leadID(t *testing.T, response []byte) string {
	t.Helper()
	var r struct {
		Data struct {
			LeadID string `json:"lead_id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(response, &r); err != nil || r.Data.LeadID == "" {
		t.Fatalf("response %s: %v", response, err)
	}
	return r.Data.LeadID
}

func TestSubmit_RecordsOneEventOfTheContract(t *testing.T) {
	w := newWorld(t)
	request := w.request(map[string]any{
		"vehicle_of_interest": map[string]any{"vin": "4T1DAACK5SU512044"},
		"appointment":         map[string]any{"appointment_type": "test_drive"},
		"message":             "Is <Saturday> possible? & thanks",
	})
	resp, err := w.submitAs(correlation.With(t.Context(), "c-1"), dealership, caller, request)
	w.must(err)
	id := leadID(t, resp.GetResponse())
	want := `{"type":"lead.submit.response","data":{"lead_id":"` + id + `","status":"received","appointment":{"appointment_id":"appt_` +
		strings.TrimPrefix(id, "lead_") + `","status":"requested"},"dealer":{"name":"Demo Toyota","phone":"+15105550199"}}}`
	if diff := cmp.Diff(want, string(resp.GetResponse())); diff != "" {
		t.Error(diff)
	}
	if resp.GetReplayed() {
		t.Error("the first answer is marked as replayed")
	}

	record, err := leads.Get(t.Context(), w.js, dealership, id)
	w.must(err)
	var data struct {
		Fingerprint string          `json:"fingerprint"`
		ReceivedAt  string          `json:"received_at"`
		Request     json.RawMessage `json:"request"`
		Response    json.RawMessage `json:"response"`
	}
	w.must(json.Unmarshal(record.Data, &data))
	if diff := cmp.Diff(string(request), string(data.Request)); diff != "" {
		t.Errorf("the event's request is not what was sent: %s", diff)
	}
	if diff := cmp.Diff(string(resp.GetResponse()), string(data.Response)); diff != "" {
		t.Errorf("the event's response is not what was answered: %s", diff)
	}
	validator, err := contract.NewValidator()
	w.must(err)
	decoded, err := contract.DecodeJSON(record.Data)
	w.must(err)
	if fault := validator.Document("event-lead-submitted.schema.json", decoded); fault != nil {
		t.Errorf("the event breaks its schema: %v %+v", fault, fault.Problems)
	}
	wantRecord := leads.Record{
		Sequence: 1, Subject: "lead.v1.demo-toyota.submitted", ID: id + ":submitted:1", Type: "forecourt.lead.submitted.v1",
		Time: record.Time, Tenant: dealership, LeadID: id, CorrelationID: "c-1", Data: record.Data,
	}
	if diff := cmp.Diff(wantRecord, record); diff != "" {
		t.Error(diff)
	}
	w.wantEvents(1)
}

func TestSubmit_SameKeySamePayload_SameBytesReplayed(t *testing.T) {
	w := newWorld(t)
	first := w.mustSubmit(w.request(nil))
	for name, request := range map[string][]byte{
		"the same bytes":         w.request(nil),
		"sent at another time":   w.request(map[string]any{"submitted_at": "2026-04-30T11:05:09Z"}),
		"with other white space": append([]byte("\n "), w.request(nil)...),
	} {
		t.Run(name, func(t *testing.T) {
			again := w.mustSubmit(request)
			if diff := cmp.Diff(string(first.GetResponse()), string(again.GetResponse())); diff != "" || !again.GetReplayed() {
				t.Errorf("replayed = %v, %s", again.GetReplayed(), diff)
			}
		})
	}
	w.wantEvents(1)
}

func TestSubmit_SameKeyOtherPayload_Conflict(t *testing.T) {
	w := newWorld(t)
	w.mustSubmit(w.request(nil))
	fault := w.fault(w.request(map[string]any{"message": "another"}))
	want := &contract.Error{
		Code: contract.IdempotencyConflict, Message: "This idempotency key was used before with another payload.",
		Problems: []contract.Problem{{
			InstanceLocation: "/idempotency_key", Keyword: "idempotency", Error: "The key belongs to a lead with another payload.",
			Correction: "Send a new idempotency_key for a new lead, or repeat the first payload unchanged to get its outcome again.",
		}},
	}
	if diff := cmp.Diff(want, fault); diff != "" {
		t.Error(diff)
	}
	w.wantEvents(1)
}

func TestSubmit_SameKeyOfAnotherScope_ItsOwnLead(t *testing.T) {
	w := newWorld(t)
	seen := map[string]bool{}
	for _, scope := range []struct{ tenant, caller string }{
		{dealership, caller}, {dealership, "public|other"}, {dealership, "oauth|https://id.example|c|s"}, {rival, caller},
	} {
		resp, err := w.submitAs(t.Context(), scope.tenant, scope.caller, w.request(nil))
		w.must(err)
		if id := leadID(t, resp.GetResponse()); seen[id] || resp.GetReplayed() {
			t.Errorf("%v: lead %s, replayed = %v; want a lead of its own", scope, id, resp.GetReplayed())
		} else {
			seen[id] = true
		}
	}
	w.wantEvents(3)
	if n := w.events(rival); n != 1 {
		t.Errorf("events of the other tenant = %d, want 1", n)
	}
}

func TestSubmit_ManyAtOnce_OneEventOneAnswer(t *testing.T) {
	w := newWorld(t)
	request := w.request(nil)
	var mu sync.Mutex
	answers := map[string]int{}
	fresh := 0
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			resp, err := w.submit(request)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			answers[string(resp.GetResponse())]++
			if !resp.GetReplayed() {
				fresh++
			}
		})
	}
	all.Wait()
	if len(answers) != 1 || fresh != 1 {
		t.Errorf("%d different answers, %d not marked as replayed; want 1 and 1", len(answers), fresh)
	}
	w.wantEvents(1)
}

func TestSubmit_AfterRestart_SameBytesReplayed(t *testing.T) {
	w := newWorld(t)
	first := w.mustSubmit(w.request(nil))
	w.restart()
	again := w.mustSubmit(w.request(nil))
	if diff := cmp.Diff(string(first.GetResponse()), string(again.GetResponse())); diff != "" || !again.GetReplayed() {
		t.Errorf("replayed = %v, %s", again.GetReplayed(), diff)
	}
	if fault := w.fault(w.request(map[string]any{"message": "another"})); fault.Code != contract.IdempotencyConflict {
		t.Errorf("another payload: %v", fault)
	}
	w.wantEvents(1)
}
