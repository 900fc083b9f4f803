package interop

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExceptions_Judge(t *testing.T) {
	exceptions := Exceptions{{Reason: "because", Checks: []ExcusedCheck{
		{Scenario: "headers", Check: "reject", Name: "Missing"},
		{Scenario: "headers", Check: "old", Revisions: []string{"2025-11-25"}},
	}}}
	missing := Check{ID: "reject", Name: "Missing", Status: "FAILURE"}
	cases := []struct {
		name     string
		scenario string
		checks   []Check
		want     []string
	}{
		{"an excused failure is fine", "headers", []Check{missing, {ID: "other", Status: "SUCCESS"}}, nil},
		{"an excused warning is fine", "headers", []Check{{ID: "reject", Name: "Missing", Status: "WARNING"}}, nil},
		{"an excuse covers its own name only", "headers",
			[]Check{missing, {ID: "reject", Name: "Mismatch", Status: "FAILURE", Message: "HTTP 200"}},
			[]string{"reject (Mismatch) FAILURE: HTTP 200"}},
		{"an excuse covers its own scenario only", "other", []Check{missing}, []string{"reject (Missing) FAILURE: "}},
		{"an excuse covers its own revisions only", "headers", []Check{missing, {ID: "old", Name: "Old", Status: "FAILURE"}},
			[]string{"old (Old) FAILURE: "}},
		{"an unlisted warning is not", "other", []Check{{ID: "x", Name: "X", Status: "WARNING"}}, []string{"x (X) WARNING: "}},
		{"an excuse for what passes is stale", "headers", []Check{{ID: "reject", Name: "Missing", Status: "SUCCESS"}},
			[]string{"stale exception: reject (Missing) does not fail under 2026-07-28"}},
		{"an excuse for what is skipped is stale", "headers",
			[]Check{{ID: "reject", Name: "Missing", Status: "SKIPPED"}, {ID: "other", Status: "SUCCESS"}},
			[]string{"stale exception: reject (Missing) does not fail under 2026-07-28"}},
		{"an excuse for what is gone is stale", "headers", []Check{{ID: "other", Status: "SUCCESS"}},
			[]string{"stale exception: reject (Missing) does not fail under 2026-07-28"}},
		{"a scenario without checks checked nothing", "other", nil, []string{"nothing was checked"}},
		{"a scenario that was skipped checked nothing", "other",
			[]Check{{ID: "x", Name: "X", Status: "SKIPPED"}, {ID: "y", Name: "Y", Status: "INFO"}}, []string{"nothing was checked"}},
		{"an excused skip of a whole scenario is fine", "headers", []Check{{ID: "reject", Name: "Missing", Status: "INFO"}}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, exceptions.Judge("2026-07-28", c.scenario, c.checks)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExceptions_Strays(t *testing.T) {
	exceptions := Exceptions{{Reason: "because", Checks: []ExcusedCheck{
		{Scenario: "kept", Check: "x"},
		{Scenario: "kept", Check: "x", Revisions: []string{"2026-07-28"}},
		{Scenario: "kept", Check: "x", Revisions: []string{"2025-11-25"}},
		{Scenario: "gone", Check: "x"},
	}}}
	want := []string{
		"stale exception: no scenario kept under [2025-11-25]",
		"stale exception: no scenario gone under []",
	}
	got := exceptions.Strays(map[string][]string{"2025-11-25": nil, "2026-07-28": {"kept"}})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExceptions_FileIsWellFormed(t *testing.T) {
	if _, err := LoadExceptions("conformance-exceptions.yaml"); err != nil {
		t.Error(err)
	}
}
