package tenant

import (
	"fmt"
	"time"

	"forecourt.internal/contract"
)

// problems finds what JSON Schema cannot say: rooftop names are unique because listings refer to them, zones exist, and a
// day does not close before it opens. Parts that are absent are the schema's to report.
func (d *Document) problems() []contract.Problem {
	var found []contract.Problem
	seen := make(map[string]int)
	for i, r := range d.Rooftops {
		at := fmt.Sprintf("/rooftops/%d", i)
		if first, again := seen[r.Name]; again && r.Name != "" {
			found = append(found, contract.Problem{
				InstanceLocation: at + "/name", Keyword: "unique",
				Error:      fmt.Sprintf("the name is that of rooftop %d too", first),
				Correction: "Give every rooftop a name of its own.",
			})
		}
		seen[r.Name] = i
		// "Local" would be the zone of whatever machine reads it.
		if _, err := time.LoadLocation(r.Timezone); err != nil || r.Timezone == "Local" {
			found = append(found, contract.Problem{
				InstanceLocation: at + "/timezone", Keyword: "timezone",
				Error: "the zone is unknown", Correction: "Use an IANA time zone such as America/Los_Angeles.",
			})
		}
		for j, s := range r.Schedules {
			found = append(found, hourProblems(fmt.Sprintf("%s/schedules/%d/value", at, j), s)...)
		}
	}
	return found
}

// weekdays in the order of a week, so that problems come in a fixed order.
var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func hourProblems(at string, s Schedule) []contract.Problem {
	var found []contract.Problem
	for _, day := range weekdays {
		// "HH:MM" compares as text.
		if h := s.Value[day]; h != nil && h.Open != "" && h.Close != "" && h.Close <= h.Open {
			found = append(found, contract.Problem{
				InstanceLocation: at + "/" + day, Keyword: "hours",
				Error: "the day closes before it opens", Correction: "Give open before close, or null for a closed day.",
			})
		}
	}
	return found
}
