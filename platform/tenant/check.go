package tenant

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"forecourt.internal/contract"
)

// problems finds what JSON Schema cannot say of rooftops, of the feed and of appointments. Parts that are absent are the schema's to report.
func (d *Document) problems() []contract.Problem {
	found := nameProblems(d.Rooftops)
	for i := range d.Rooftops {
		found = append(found, d.Rooftops[i].problems(fmt.Sprintf("/rooftops/%d", i))...)
	}
	found = append(found, d.Feed.problems()...)
	return append(found, d.Appointments.problems()...)
}

// nameProblems finds rooftops that cannot be told apart: listings and filters name them without regard to case.
func nameProblems(rooftops []Rooftop) []contract.Problem {
	var found []contract.Problem
	for i, r := range rooftops {
		first := slices.IndexFunc(rooftops, func(other Rooftop) bool { return strings.EqualFold(other.Name, r.Name) })
		if first < i && r.Name != "" {
			found = append(found, contract.Problem{
				InstanceLocation: fmt.Sprintf("/rooftops/%d/name", i), Keyword: "unique",
				Error:      fmt.Sprintf("the name is that of rooftop %d too", first),
				Correction: "Give every rooftop a name of its own, different in more than case.",
			})
		}
	}
	return found
}

// problems of a location at a place: its zone exists and is there when hours need it, and each schedule makes sense.
func (r *Rooftop) problems(at string) []contract.Problem {
	var found []contract.Problem
	// "Local" would be the zone of whatever machine reads it.
	if _, err := time.LoadLocation(r.Timezone); err != nil || r.Timezone == "Local" {
		found = append(found, contract.Problem{
			InstanceLocation: at + "/timezone", Keyword: "timezone",
			Error: "the zone is unknown", Correction: "Use an IANA time zone such as America/Los_Angeles.",
		})
	}
	if r.Timezone == "" && slices.ContainsFunc(r.Schedules, Schedule.opens) {
		found = append(found, contract.Problem{
			InstanceLocation: at + "/timezone", Keyword: "timezone",
			Error: "the hours of a schedule have no zone", Correction: "Add the IANA time zone of the rooftop, such as America/Los_Angeles.",
		})
	}
	for i, s := range r.Schedules {
		here := fmt.Sprintf("%s/schedules/%d", at, i)
		// A department is looked up without regard to case.
		first := slices.IndexFunc(r.Schedules, func(other Schedule) bool { return strings.EqualFold(other.Name, s.Name) })
		if first < i {
			found = append(found, contract.Problem{
				InstanceLocation: here + "/name", Keyword: "unique",
				Error:      fmt.Sprintf("the department is that of schedule %d too, and each has one week", first),
				Correction: "Put the hours of a department into one schedule, or name the departments.",
			})
		}
		found = append(found, hourProblems(here+"/value", s)...)
	}
	return found
}

// opens says whether any day has hours.
func (s Schedule) opens() bool {
	for _, hours := range s.Value {
		if hours != nil {
			return true
		}
	}
	return false
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
				Error:      "the day does not close after it opens",
				Correction: "Give a close later than open on the same day, at most 23:59, or null for a closed day.",
			})
		}
	}
	return found
}

// problems finds headers of the mapping that do not name one column of one field.
func (f *Feed) problems() []contract.Problem {
	var found []contract.Problem
	owners := make(map[string]string) // the place of a header by its key
	for _, field := range slices.Sorted(maps.Keys(f.Mapping)) {
		for i, header := range f.Mapping[field] {
			at := "/feed/mapping/" + field
			if len(f.Mapping[field]) > 1 {
				at = fmt.Sprintf("%s/%d", at, i)
			}
			key := HeaderKey(header)
			owner, taken := owners[key]
			switch {
			case header == "": // the schema's to report
			case key == "":
				found = append(found, contract.Problem{
					InstanceLocation: at, Keyword: "header",
					Error:      `the header has nothing but characters that are not compared: spaces, "_", "-" and "."`,
					Correction: "Write the header as it is in the feed; a column without a header cannot be mapped.",
				})
			case taken:
				found = append(found, contract.Problem{
					InstanceLocation: at, Keyword: "unique",
					Error:      fmt.Sprintf(`the header is that of %s too, without case, spaces, "_", "-" and "."`, owner),
					Correction: "Map each header to one field, once.",
				})
			default:
				owners[key] = at
			}
		}
	}
	return found
}
