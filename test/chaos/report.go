package chaos

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Report writes what happened as a table.
func Report(run Run, faults []Broken) string {
	counts := map[string]int{}
	var order []string
	count := func(name string, n int) {
		if _, known := counts[name]; !known {
			order = append(order, name)
		}
		counts[name] += n
	}
	for _, name := range []string{"keys", "acknowledged keys", "events in the log", "ledgers of days in the log", "confirmed appointments",
		"attempts", "accepted", "replayed", "conflicts", "other refusals", "to be repeated", string(TimedOut), string(Unreachable), string(Invalid)} {
		count(name, 0)
	}
	count("events in the log", len(run.Log.Leads))
	count("ledgers of days in the log", len(run.Log.Days))
	for _, lead := range run.Log.Leads {
		if lead.Visit != nil {
			count("confirmed appointments", 1)
		}
	}
	for _, attempts := range run.Attempts {
		count("keys", 1)
		acknowledged := false
		for _, a := range attempts {
			count("attempts", 1)
			count(class(a.Answer), 1)
			acknowledged = acknowledged || a.Answer.Outcome == Accepted
		}
		if acknowledged {
			count("acknowledged keys", 1)
		}
	}
	for _, f := range faults {
		if f.Skipped == "" {
			count("fault: "+string(f.Kind), 1)
		} else {
			count("fault skipped", 1)
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, name := range order {
		fmt.Fprintf(w, "%s\t%d\n", name, counts[name])
	}
	w.Flush()
	return b.String()
}

func class(a Answer) string {
	switch {
	case a.Outcome == Accepted && a.Replayed:
		return "replayed"
	case a.Outcome == Refused && a.Code == conflict:
		return "conflicts"
	case a.Outcome == Refused && a.Retryable:
		return "to be repeated"
	case a.Outcome == Refused:
		return "other refusals"
	}
	return string(a.Outcome)
}
