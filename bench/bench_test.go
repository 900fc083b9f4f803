package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/bench/internal/deployment"
	"forecourt.internal/platform/pgtest"
)

// TestMain lets the test binary be the process that runs the service alone.
func TestMain(m *testing.M) {
	if text, ok := os.LookupEnv(assignmentEnv); ok {
		exit(alone(context.Background(), text))
	}
	os.Exit(m.Run())
}

var small = options{stocks: []int{100, 1_000}, vehicles: 1_050, leads: 100, rounds: 1, json: true}

// The run itself fails where service and scan give different answers, and where a lead is not received.
func TestRun_MeasuresEverySubjectBesideItsPeer(t *testing.T) {
	want := map[string]map[string][]string{
		"search": {},
		"memory": {"memory": {"heap in use", "resident, settled", "resident, peak of the start"}},
		"replay": {"replay": {"last event of every vehicle"}},
		"lead": {
			"lead":            {"beside synced publishes", "beside commits of one row"},
			"lead latency":    {"median", "99th percentile"},
			"lead processors": deployment.Parts,
		},
	}
	for _, s := range slices.Concat(searches, facets) {
		want["search"]["search"] = append(want["search"]["search"], s.name, s.name) // one per stock
	}
	for _, subject := range subjects {
		t.Run(subject, func(t *testing.T) {
			if _, err := pgtest.Binaries(); subject == "lead" && err != nil {
				t.Skip("the lead path is measured on a Postgres of its own, whose programs are not here: ", err)
			}
			opts := small
			opts.only = subject
			var out bytes.Buffer
			if err := run(t.Context(), opts, &out, t.Logf); err != nil {
				t.Fatal(err)
			}
			var r report
			if err := json.Unmarshal(out.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			got := make(map[string][]string)
			for _, s := range r.Subjects {
				for _, f := range s.Figures {
					got[s.Name] = append(got[s.Name], f.Case)
					checkFigure(t, s, f)
				}
			}
			if diff := cmp.Diff(want[subject], got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func checkFigure(t *testing.T, s Subject, f Figure) {
	t.Helper()
	// A part may take less than the system counts, or nothing.
	if small := s.Name == "lead processors"; f.Size < 100 || !small && (f.Ours.Min <= 0 || f.Theirs.Min <= 0 || f.Ratio <= 0) {
		t.Errorf("%s, %s: %+v", s.Name, f.Case, f)
	}
	if f.Ours.Min > f.Ours.Median || f.Ours.Median > f.Ours.Max {
		t.Errorf("%s, %s: the spread is %+v", s.Name, f.Case, f.Ours)
	}
}

func TestPrintTables_OneLinePerFigure(t *testing.T) {
	subject := Subject{Name: "search", Unit: "ns", Peer: "scan", Ratio: "times cheaper than the scan", Figures: []Figure{
		{Case: "by VIN", Size: 1_000, Found: &Spread{1, 1, 1}, Ours: Spread{900, 1_234, 1_500}, Theirs: Spread{5e6, 1.2345e7, 2e9}, Ratio: 10_004.05},
		{Case: "by VIN", Size: 1_000_000, Found: &Spread{1, 1, 1}, Ours: Spread{1, 2, 3}, Theirs: Spread{1, 2, 3}, Ratio: 1},
	}}
	var out strings.Builder
	if err := printTables(&out, []Subject{subject}); err != nil {
		t.Fatal(err)
	}
	want := `
search, in time per call: median (least – most); ratio: times cheaper than the scan

        size       found  service                   scan                ratio
by VIN  1,000      1      1.23µs (900ns – 1.5µs)  12.3ms (5ms – 2s)  10,004
        1,000,000  1      2ns (1ns – 3ns)           2ns (1ns – 3ns)     1.00
`
	if diff := cmp.Diff(spaceless(want), spaceless(out.String())); diff != "" {
		t.Error(diff)
	}
}

// spaceless leaves one space where there are several: how wide columns are is the tabwriter's.
func spaceless(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n")
}

func TestParse_RefusesWhatMeasuresNothing(t *testing.T) {
	for _, args := range [][]string{{"-only", "nothing"}, {"-rounds", "0"}, {"-vehicles", "0"}, {"-leads", "0"}, {"-stocks", "1"}, {"-stocks", "x"}} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			if opts, err := parse(args); err == nil {
				t.Errorf("taken as %+v", opts)
			}
		})
	}
}
