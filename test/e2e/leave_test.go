package e2e

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leave sends a part of the body and closes the connection, as a client that is killed or out of patience does.
func (c *halfCall) leave(part int) {
	c.t.Helper()
	if _, err := c.conn.Write(c.body[:part]); err != nil {
		c.t.Fatal(err)
	}
	if err := c.conn.Close(); err != nil {
		c.t.Fatal(err)
	}
}

func callerLeaves(t *testing.T, s *system) {
	const tenant = "leaves"
	a := addDealership(t, s.Process, tenant)

	whole := leadArguments("whole")
	call := beginCall(t, a.url, "aap_lead_submit", whole)
	call.leave(len(call.body))
	eventually(t, "the lead is recorded", func() bool { return len(leadEventsOf(t, s.Process, tenant)) == 1 })
	first := a.call(t, "aap_lead_submit", whole)
	if !replayed(t, first) {
		t.Errorf("the lead of a caller that left is answered as a new one: %s", first.StructuredContent)
	}

	half := leadArguments("half")
	call = beginCall(t, a.url, "aap_lead_submit", half)
	call.leave(len(call.body) / 2)
	second := a.call(t, "aap_lead_submit", half)
	if replayed(t, second) {
		t.Errorf("half a request was taken: %s", second.StructuredContent)
	}

	if diff := cmp.Diff(map[string]int{leadOf(t, first): 1, leadOf(t, second): 1}, leadEventsOf(t, s.Process, tenant)); diff != "" {
		t.Errorf("events by lead:\n%s", diff)
	}
}
