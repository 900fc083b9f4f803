package command

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/inventory"
)

func TestPrintProblems_WhereThereIsRoomForFew_RejectedRowsComeFirst(t *testing.T) {
	problem := func(line int, warning bool) inventory.RowProblem {
		return inventory.RowProblem{File: "f", Line: line, Column: "VIN", Problem: "it is bad", Correction: "Mend it.", Warning: warning}
	}
	report := inventory.Report{Problems: []inventory.RowProblem{problem(1, true), problem(2, false), problem(3, true), problem(4, false)}}
	for name, c := range map[string]struct {
		most, omitted int
		want          string
	}{
		"all": {4, 0, "f:1: VIN: warning: it is bad — Mend it.\nf:2: VIN: it is bad — Mend it.\n" +
			"f:3: VIN: warning: it is bad — Mend it.\nf:4: VIN: it is bad — Mend it.\n"},
		"few": {3, 0, "f:2: VIN: it is bad — Mend it.\nf:4: VIN: it is bad — Mend it.\n" +
			"f:1: VIN: warning: it is bad — Mend it.\n… and 1 more; --json says which\n"},
		"those that are only counted": {1, 7, "f:2: VIN: it is bad — Mend it.\n… and 10 more; --json says which\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			report.Omitted = []inventory.OmittedProblems{{Column: "VIN", Problem: "it is bad", Count: c.omitted}}
			printProblems(&out, report, c.most)
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
