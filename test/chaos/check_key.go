package chaos

import (
	"slices"
	"time"
)

const (
	conflict = "IDEMPOTENCY_CONFLICT"
	internal = "INTERNAL_ERROR"
)

// answers holds every single answer to what an agent may be told.
func (c *checker) answers(key Key, attempts []Attempt) {
	for _, a := range attempts {
		switch {
		case a.Answer.Outcome == Invalid:
			c.report("every answer is a result or an aap.error", key, "%s", a.Answer.Text)
		case a.Answer.Outcome == Unreachable && !c.down(a):
			c.report("an edge that is up answers", key, "%s at %.3fs: %s", a.Edge, a.Sent.Seconds(), a.Answer.Text)
		case a.Answer.Outcome == Refused && !c.mayRefuse(a):
			c.report("a refusal has the right code", key, "%s, retryable %t", a.Answer.Code, a.Answer.Retryable)
		}
	}
}

// down says whether the edge of an attempt was killed or paused meanwhile.
func (c *checker) down(a Attempt) bool {
	return slices.ContainsFunc(c.Down[a.Edge], func(s Span) bool { return s.From <= a.Answered && a.Sent <= s.Till })
}

// mayRefuse says whether a lead may be refused like that: with a conflict where the key has another payload, for a while, or for
// what its agent has done wrong.
func (c *checker) mayRefuse(a Attempt) bool {
	switch a.Answer.Code {
	case conflict:
		return !a.Answer.Retryable && len(c.Payloads[a.Key]) > 1
	case internal:
		return a.Answer.Retryable
	default:
		return !a.Answer.Retryable && slices.Contains(c.Payloads[a.Key][a.Variant].Refusals, a.Answer.Code)
	}
}

// outcome holds the answers under a key to each other: one payload has one answer, others are refused.
func (c *checker) outcome(key Key, attempts []Attempt) {
	answered := map[string]bool{}
	var first *Attempt
	for _, a := range attempts {
		if a.Answer.Final() {
			answered[a.Variant] = true
		}
		if a.Answer.Outcome != Accepted {
			continue
		}
		if first == nil {
			first = &a
			continue
		}
		if a.Variant != first.Variant {
			c.report("no conflicting payload is accepted", key, "%s and %s", first.Variant, a.Variant)
		}
		if a.Answer.Body != first.Answer.Body {
			c.report("every answer of a key is the same", key, "lead %s and %s", first.Answer.LeadID, a.Answer.LeadID)
		}
	}
	for variant := range c.Payloads[key] {
		if !answered[variant] {
			c.report("every lead is answered in the end", key, "%s is not", variant)
		}
	}
}

// recorded holds the answers under a key to its event.
func (c *checker) recorded(key Key, attempts []Attempt) {
	events := c.byMsgID[key.Digest()]
	for _, a := range attempts {
		switch {
		case a.Answer.Outcome == Accepted && len(events) == 0:
			c.report("an acknowledged lead is in the log", key, "lead %s at %.3fs", a.Answer.LeadID, a.Answered.Seconds())
		case a.Answer.Outcome == Accepted && events[0].Payload != c.Payloads[key][a.Variant].Canonical:
			c.report("the payload that was accepted is in the log", key, "event %d has another than %s", events[0].Sequence, a.Variant)
		case a.Answer.Outcome == Accepted && (events[0].LeadID != a.Answer.LeadID || events[0].Response != a.Answer.Body):
			c.report("the answer is that of the log", key, "event %d is of lead %s, the answer of %s",
				events[0].Sequence, events[0].LeadID, a.Answer.LeadID)
		case a.Answer.Code == conflict && len(events) == 0:
			c.report("a conflict is with something that was recorded", key, "%s at %.3fs", a.Variant, a.Answered.Seconds())
		case a.Answer.Code == conflict && events[0].Payload == c.Payloads[key][a.Variant].Canonical:
			c.report("the payload that was recorded is no conflict", key, "%s at %.3fs", a.Variant, a.Answered.Seconds())
		case a.Answer.Outcome == Refused && a.Answer.Final() && a.Answer.Code != conflict && len(events) > 0 &&
			events[0].Payload == c.Payloads[key][a.Variant].Canonical:
			c.report("a lead that was refused is not recorded", key, "%s: %s, and event %d", a.Variant, a.Answer.Code, events[0].Sequence)
		}
	}
}

// clocks is how far the clocks of the broker and of the agents may be apart, on one machine.
const clocks = 5 * time.Millisecond

// marks holds the mark of replays to what an attempt can have done: at most one attempt recorded the lead, and none that was sent
// after the event was stored or after another was answered.
func (c *checker) marks(key Key, attempts []Attempt) {
	events := c.byMsgID[key.Digest()]
	fresh := 0
	for _, a := range attempts {
		if a.Answer.Outcome != Accepted || a.Answer.Replayed {
			continue
		}
		fresh++
		late := len(events) > 0 && a.Sent > events[0].Stored+clocks || slices.ContainsFunc(attempts, func(b Attempt) bool {
			return b.Answer.Outcome == Accepted && b.Answered < a.Sent
		})
		if late {
			c.report("a replay is marked", key, "the answer to %.3fs is not", a.Sent.Seconds())
		}
	}
	if fresh > 1 {
		c.report("one answer is the first", key, "%d are not marked as replayed", fresh)
	}
}
