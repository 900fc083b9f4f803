package interop

import (
	"fmt"
	"os"
	"slices"

	"sigs.k8s.io/yaml"
)

// Exceptions says which conformance checks do not hold against Forecourt, and why.
type Exceptions []Exception

// Exception is one reason and the checks it excuses.
type Exception struct {
	Reason string         `json:"reason"`
	Checks []ExcusedCheck `json:"checks"`
}

// ExcusedCheck names a check as the runner does. Name tells checks with the same id apart; empty, it means all of them.
// Revisions are the protocol revisions under which the check does not hold; empty means each that has the scenario.
type ExcusedCheck struct {
	Scenario  string   `json:"scenario"`
	Check     string   `json:"check"`
	Name      string   `json:"name"`
	Revisions []string `json:"revisions"`
}

// Check is the runner's verdict on one check.
type Check struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Status  string `json:"status"` // SUCCESS, INFO, SKIPPED, WARNING or FAILURE
	Message string `json:"errorMessage"`
}

// decided says that the check was made, whatever came of it.
func (c Check) decided() bool {
	return c.Status == "SUCCESS" || c.Status == "WARNING" || c.Status == "FAILURE"
}

// LoadExceptions reads a file of exceptions; an entry without a reason or a check is an error.
func LoadExceptions(path string) (Exceptions, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var e Exceptions
	if err := yaml.UnmarshalStrict(raw, &e); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i, exception := range e {
		if exception.Reason == "" || len(exception.Checks) == 0 {
			return nil, fmt.Errorf("%s: entry %d needs a reason and checks", path, i)
		}
		for _, c := range exception.Checks {
			if c.Scenario == "" || c.Check == "" {
				return nil, fmt.Errorf("%s: entry %d: %+v needs a scenario and a check", path, i, c)
			}
		}
	}
	return e, nil
}

// Judge returns what is wrong with a scenario's run under a revision: each check that does not hold and is not excused, each
// excuse for which there was nothing to excuse, and that nothing was checked, unless an excuse names a check that says so. A
// warning does not hold either: it is a SHOULD that was not met.
func (e Exceptions) Judge(revision, scenario string, checks []Check) []string {
	var problems []string
	excuses := e.excuses(revision, scenario)
	used := make([]bool, len(excuses))
	excuse := func(check Check) bool {
		i := slices.IndexFunc(excuses, func(x ExcusedCheck) bool {
			return x.Check == check.ID && (x.Name == "" || x.Name == check.Name)
		})
		if i >= 0 {
			used[i] = true
		}
		return i >= 0
	}
	if slices.ContainsFunc(checks, Check.decided) {
		for _, check := range checks {
			if check.decided() && check.Status != "SUCCESS" && !excuse(check) {
				problems = append(problems, fmt.Sprintf("%s (%s) %s: %s", check.ID, check.Name, check.Status, check.Message))
			}
		}
	} else if !slices.ContainsFunc(checks, excuse) {
		problems = append(problems, "nothing was checked")
	}
	for i, x := range excuses {
		if !used[i] {
			problems = append(problems, fmt.Sprintf("stale exception: %s (%s) does not fail under %s", x.Check, x.Name, revision))
		}
	}
	return problems
}

func (e Exceptions) excuses(revision, scenario string) []ExcusedCheck {
	var excuses []ExcusedCheck
	for _, exception := range e {
		for _, c := range exception.Checks {
			if c.Scenario == scenario && (len(c.Revisions) == 0 || slices.Contains(c.Revisions, revision)) {
				excuses = append(excuses, c)
			}
		}
	}
	return excuses
}

// Strays returns the excuses that no run judges, given the scenarios of each revision.
func (e Exceptions) Strays(scenarios map[string][]string) []string {
	var strays []string
	for _, exception := range e {
		for _, c := range exception.Checks {
			runs := 0
			for revision, names := range scenarios {
				if slices.Contains(names, c.Scenario) && (len(c.Revisions) == 0 || slices.Contains(c.Revisions, revision)) {
					runs++
				}
			}
			if runs < max(1, len(c.Revisions)) {
				strays = append(strays, fmt.Sprintf("stale exception: no scenario %s under %v", c.Scenario, c.Revisions))
			}
		}
	}
	return strays
}
