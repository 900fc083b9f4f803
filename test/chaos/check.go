package chaos

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Run is what a run has left behind.
type Run struct {
	Attempts map[Key][]Attempt // as History.ByKey returns them
	Payloads map[Key]map[string]Payload
	Log      Log
	// Down is when each edge was killed or paused, until it was ready again.
	Down map[string][]Span
	// Seats are how many appointments each dealership takes at the same time.
	Seats map[string]int
}

// Span is a time of the run.
type Span struct{ From, Till time.Duration }

// Violation is a broken promise.
type Violation struct {
	Rule string
	// Key is whose history shows it; the zero Key when it is not of one.
	Key  Key
	Text string
}

func (v Violation) String() string { return fmt.Sprintf("%s: %s", v.Rule, v.Text) }

// checker collects violations.
type checker struct {
	Run
	byMsgID map[string][]Lead
	found   []Violation
}

func (c *checker) report(rule string, key Key, format string, args ...any) {
	c.found = append(c.found, Violation{Rule: rule, Key: key, Text: fmt.Sprintf(format, args...)})
}

// Check returns every violation, by key.
func Check(run Run) []Violation {
	c := &checker{Run: run, byMsgID: map[string][]Lead{}}
	for _, lead := range run.Log.Leads {
		c.byMsgID[lead.MsgID] = append(c.byMsgID[lead.MsgID], lead)
	}
	c.events()
	c.appointments()
	for key, attempts := range run.Attempts {
		c.answers(key, attempts)
		c.outcome(key, attempts)
		c.recorded(key, attempts)
		c.marks(key, attempts)
	}
	slices.SortStableFunc(c.found, func(a, b Violation) int { return strings.Compare(a.Key.String(), b.Key.String()) })
	return c.found
}

// events holds the log to what was sent: each event is of a request, and the only one of its key and of its lead.
func (c *checker) events() {
	for _, text := range c.Log.Strange {
		c.report("the log holds nothing that nobody sent", Key{}, "%s", text)
	}
	byLead := map[string]Lead{}
	for _, lead := range c.Log.Leads {
		if lead.MsgID != lead.Key.Digest() {
			c.report("a message id is the digest of the key", lead.Key, "event %d has %q", lead.Sequence, lead.MsgID)
		}
		if !c.sent(lead) {
			c.report("the log holds nothing that nobody sent", lead.Key, "event %d is of no request of the run", lead.Sequence)
		}
		if lead.Type != submitted {
			continue
		}
		if first, again := byLead[lead.LeadID]; again {
			c.report("a lead is submitted once", lead.Key, "lead %s in events %d and %d", lead.LeadID, first.Sequence, lead.Sequence)
		}
		byLead[lead.LeadID] = lead
	}
	for _, lead := range c.Log.Leads {
		if _, ok := byLead[lead.LeadID]; lead.Type == repeated && !ok {
			c.report("what is repeated was submitted", lead.Key, "event %d repeats %s", lead.Sequence, lead.LeadID)
		}
	}
	for _, leads := range c.byMsgID {
		if len(leads) > 1 {
			c.report("a key has one event", leads[0].Key, "events %d and %d", leads[0].Sequence, leads[1].Sequence)
		}
	}
}

// sent says whether some attempt sent the payload that the event records.
func (c *checker) sent(lead Lead) bool {
	return slices.ContainsFunc(c.Attempts[lead.Key], func(a Attempt) bool {
		return c.Payloads[lead.Key][a.Variant].Canonical == lead.Payload
	})
}
