package chaos

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	keyA = Key{Tenant: "single", Agent: "agent-1", Key: "a"}
	keyB = Key{Tenant: "single", Agent: "agent-1", Key: "b"}
	nine = time.Date(2026, 12, 7, 9, 0, 0, 0, time.UTC)
)

const second = time.Second

// body is the answer about a lead.
func body(id string) string { return `{"lead_id":"` + id + `"}` }

func accepted(key Key, sent, answered time.Duration, id string, replayed bool) Attempt {
	return Attempt{Key: key, Variant: "A", Edge: "edge-1", Sent: sent, Answered: answered,
		Answer: Answer{Outcome: Accepted, LeadID: id, Body: body(id), Replayed: replayed}}
}

func refused(key Key, variant, code string, retryable bool) Attempt {
	return Attempt{Key: key, Variant: variant, Edge: "edge-2", Sent: 3 * second, Answered: 4 * second,
		Answer: Answer{Outcome: Refused, Code: code, Retryable: retryable}}
}

func event(sequence uint64, key Key, id string) Lead {
	return Lead{
		Sequence: sequence, Stored: 1500 * time.Millisecond, MsgID: key.Digest(), Type: submitted, LeadID: id, Key: key,
		Payload: "A of " + key.Key, Response: body(id),
	}
}

// clean is a run of two keys without a fault in it: one lead is accepted and replayed, with another payload that is refused, and
// one is accepted with an appointment.
func clean() Run {
	visited := event(3, keyB, "lead_2")
	visited.Visit = &Visit{AppointmentID: "appt_2", Department: "sales", Start: nine, End: nine.Add(time.Hour)}
	return Run{
		Attempts: map[Key][]Attempt{
			keyA: {
				accepted(keyA, 1*second, 2*second, "lead_1", false), refused(keyA, "B", conflict, false),
				accepted(keyA, 5*second, 6*second, "lead_1", true),
			},
			keyB: {accepted(keyB, 1*second, 2*second, "lead_2", false)},
		},
		Payloads: map[Key]map[string]Payload{
			keyA: {"A": {Canonical: "A of a"}, "B": {Canonical: "B of a"}}, keyB: {"A": {Canonical: "A of b"}},
		},
		Log: Log{
			Leads: []Lead{event(2, keyA, "lead_1"), visited},
			Days:  []Day{{Sequence: 4, Subject: "appointment.v1.single.x.sales.2026-12-07", Bookings: []Booking{{"lead_2", "appt_2", nine, nine.Add(time.Hour)}}}},
		},
		Down:  map[string][]Span{"edge-1": {{10 * second, 20 * second}}},
		Seats: map[string]int{"single": 1},
	}
}

// visit adds a lead with an appointment, in the log and in the ledger.
func (r *Run) visit(id string, start time.Time) {
	key := Key{Tenant: "single", Agent: "agent-1", Key: id}
	lead := event(uint64(len(r.Log.Leads)+10), key, "lead_"+id)
	lead.Visit = &Visit{AppointmentID: "appt_" + id, Department: "sales", Start: start, End: start.Add(time.Hour)}
	r.Log.Leads = append(r.Log.Leads, lead)
	r.Attempts[key] = []Attempt{accepted(key, 1*second, 2*second, "lead_"+id, false)}
	r.Payloads[key] = map[string]Payload{"A": {Canonical: lead.Payload}}
	day := r.Log.Days[len(r.Log.Days)-1]
	day.Sequence++
	day.Bookings = append(slices.Clone(day.Bookings), Booking{"lead_" + id, "appt_" + id, start, start.Add(time.Hour)})
	r.Log.Days = append(r.Log.Days, day)
}

func rules(violations []Violation) []string {
	var names []string
	for _, v := range violations {
		names = append(names, v.Rule)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func TestCheck_FindsNothingInARunThatKeepsEveryPromise(t *testing.T) {
	for name, change := range map[string]func(*Run){
		"as it is": func(*Run) {},
		"the first answer was lost": func(r *Run) {
			r.Attempts[keyA][0].Answer = Answer{Outcome: TimedOut}
		},
		"an edge was away": func(r *Run) {
			r.Attempts[keyA] = append(r.Attempts[keyA], Attempt{Key: keyA, Variant: "A", Edge: "edge-1", Sent: 9 * second, Answered: 11 * second,
				Answer: Answer{Outcome: Unreachable}})
		},
		"a lead had to be repeated": func(r *Run) { r.Attempts[keyA] = append(r.Attempts[keyA], refused(keyA, "A", internal, true)) },
		"a lead was refused and corrected": func(r *Run) {
			r.Payloads[keyA]["C"] = Payload{Canonical: "C of a", Refusals: []string{"INVALID_CONSENT"}}
			r.Attempts[keyA] = append(r.Attempts[keyA], refused(keyA, "C", "INVALID_CONSENT", false))
		},
		"appointments follow each other": func(r *Run) { r.visit("c", nine.Add(time.Hour)) },
	} {
		t.Run(name, func(t *testing.T) {
			run := clean()
			change(&run)
			for _, v := range Check(run) {
				t.Error(v)
			}
		})
	}
}

func TestCheck_ObjectsTo(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Run)
		want   []string
	}{
		"a lead that is lost": {
			func(r *Run) { r.Log.Leads = r.Log.Leads[1:] },
			[]string{"a conflict is with something that was recorded", "an acknowledged lead is in the log"},
		},
		"two events of a key": {
			func(r *Run) { r.Log.Leads = append(r.Log.Leads, event(9, keyA, "lead_3")) },
			[]string{"a key has one event"},
		},
		"a lead that is submitted twice": {
			func(r *Run) {
				key := Key{Tenant: "single", Agent: "agent-1", Key: "c"}
				r.Log.Leads = append(r.Log.Leads, event(9, key, "lead_1"))
				r.Attempts[key] = []Attempt{accepted(key, 1*second, 2*second, "lead_1", false)}
				r.Payloads[key] = map[string]Payload{"A": {Canonical: "A of c"}}
			},
			[]string{"a lead is submitted once"},
		},
		"a repetition of nothing": {
			func(r *Run) { r.Log.Leads[0].Type = repeated },
			[]string{"what is repeated was submitted"},
		},
		"an event that nobody sent": {
			func(r *Run) { r.Log.Leads = append(r.Log.Leads, event(9, Key{Key: "z"}, "lead_9")) },
			[]string{"the log holds nothing that nobody sent"},
		},
		"an event with what nobody sent": {
			func(r *Run) { r.Log.Leads[1].Payload = "something" },
			[]string{"the log holds nothing that nobody sent", "the payload that was accepted is in the log"},
		},
		"a message that is no event": {
			func(r *Run) { r.Log.Strange = []string{"event 9"} },
			[]string{"the log holds nothing that nobody sent"},
		},
		"a message id of another key": {
			func(r *Run) { r.Log.Leads[1].MsgID = "ABC" },
			[]string{"a message id is the digest of the key", "an acknowledged lead is in the log"},
		},
		"a replay with another answer": {
			func(r *Run) { r.Attempts[keyA][2].Answer.Body += " " },
			[]string{"every answer of a key is the same", "the answer is that of the log"},
		},
		"a replay with another lead": {
			func(r *Run) { r.Attempts[keyA][2] = accepted(keyA, 5*second, 6*second, "lead_9", true) },
			[]string{"every answer of a key is the same", "the answer is that of the log"},
		},
		"an answer that is not in the log": {
			func(r *Run) { r.Log.Leads[1].Response += " " },
			[]string{"the answer is that of the log"},
		},
		"a conflicting payload that is accepted": {
			func(r *Run) { r.Attempts[keyA][2].Variant = "B" },
			[]string{"no conflicting payload is accepted", "the payload that was accepted is in the log"},
		},
		"a conflict of the first payload": {
			func(r *Run) { r.Attempts[keyA][2] = refused(keyA, "A", conflict, false) },
			[]string{"the payload that was recorded is no conflict"},
		},
		"a conflict where there is one payload": {
			func(r *Run) { r.Attempts[keyB] = append(r.Attempts[keyB], refused(keyB, "A", conflict, false)) },
			[]string{"a refusal has the right code", "the payload that was recorded is no conflict"},
		},
		"a lead that is refused and recorded": {
			func(r *Run) {
				r.Payloads[keyA]["A"] = Payload{Canonical: "A of a", Refusals: []string{"INVALID_CONSENT"}}
				r.Attempts[keyA] = append(r.Attempts[keyA], refused(keyA, "A", "INVALID_CONSENT", false))
			},
			[]string{"a lead that was refused is not recorded"},
		},
		"a replay without its mark": {
			func(r *Run) { r.Attempts[keyA][2].Answer.Replayed = false },
			[]string{"a replay is marked", "one answer is the first"},
		},
		"a replay without its mark, of an answer that was lost": {
			func(r *Run) {
				r.Attempts[keyA][0].Answer = Answer{Outcome: TimedOut}
				r.Attempts[keyA][2].Answer.Replayed = false
			},
			[]string{"a replay is marked"},
		},
		"two first answers at the same time": {
			func(r *Run) { r.Attempts[keyA][2] = accepted(keyA, 1*second, 2*second, "lead_1", false) },
			[]string{"one answer is the first"},
		},
		"a lead without an answer": {
			func(r *Run) { r.Attempts[keyB][0].Answer = Answer{Outcome: TimedOut} },
			[]string{"every lead is answered in the end"},
		},
		"a lead that nobody has sent": {
			func(r *Run) { r.Payloads[keyB]["B"] = Payload{} },
			[]string{"every lead is answered in the end"},
		},
		"an answer that breaks the protocol": {
			func(r *Run) { r.Attempts[keyA][1].Answer = invalid("status 500") },
			[]string{"every answer is a result or an aap.error"},
		},
		"a failure of an edge that is up": {
			func(r *Run) {
				r.Attempts[keyA] = append(r.Attempts[keyA], Attempt{Key: keyA, Variant: "A", Edge: "edge-2", Sent: 9 * second, Answered: 11 * second,
					Answer: Answer{Outcome: Unreachable}})
			},
			[]string{"an edge that is up answers"},
		},
		"an INTERNAL_ERROR for ever": {
			func(r *Run) { r.Attempts[keyA] = append(r.Attempts[keyA], refused(keyA, "B", internal, false)) },
			[]string{"a refusal has the right code"},
		},
		"a refusal for nothing": {
			func(r *Run) {
				r.Attempts[keyA] = append(r.Attempts[keyA], refused(keyA, "B", "INVALID_CONSENT", false))
			},
			[]string{"a refusal has the right code"},
		},
		"a place that is given twice": {
			func(r *Run) { r.visit("c", nine.Add(30*time.Minute)) },
			[]string{"no place is given twice"},
		},
		"a confirmed appointment that is not booked": {
			func(r *Run) { r.Log.Days = nil },
			[]string{"what is confirmed is booked"},
		},
		"a confirmed appointment that is booked for another time": {
			func(r *Run) { r.Log.Days[0].Bookings[0].End = nine.Add(30 * time.Minute) },
			[]string{"what is confirmed is booked"},
		},
		"a booking of nobody": {
			func(r *Run) { r.Log.Leads[1].Visit = nil },
			[]string{"what is booked is confirmed"},
		},
		"an appointment on two days": {
			func(r *Run) {
				other := r.Log.Days[0]
				other.Subject += "x"
				r.Log.Days = append(r.Log.Days, other)
			},
			[]string{"an appointment is booked once"},
		},
		"a ledger that forgets": {
			func(r *Run) {
				r.visit("c", nine.Add(time.Hour))
				r.Log.Days[1].Bookings = r.Log.Days[1].Bookings[1:]
			},
			[]string{"a ledger has one booking more than the one before", "what is confirmed is booked"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := clean()
			c.change(&run)
			found := Check(run)
			if diff := cmp.Diff(c.want, rules(found)); diff != "" {
				t.Errorf("rules (-want +got):\n%s%s", diff, fmt.Sprintln(found))
			}
		})
	}
}
