package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"forecourt.internal/services/inventory"
)

// problemsOnTerminal is how many problems a terminal shows; more would push the first ones out of sight.
const problemsOnTerminal = 30

// importSummary is an import for machines: the report, the id under which the log keeps the import's events, and why nothing, or not
// all, of the file was imported.
type importSummary struct {
	CorrelationID string `json:"correlation_id"`
	Error         string `json:"error,omitempty"`
	inventory.Report
}

// printReport prints the problems and the summary. A file of which no row was read, as err says then, has none.
func printReport(cmd *cobra.Command, s importSummary, err error) error {
	if wantsJSON(cmd) {
		if err != nil {
			s.Error = err.Error()
		}
		return printJSON(cmd.OutOrStdout(), s)
	}
	if isTerminal(cmd.ErrOrStderr()) {
		printProblems(cmd.ErrOrStderr(), s.Report, problemsOnTerminal)
	} else {
		printProblems(cmd.ErrOrStderr(), s.Report, len(s.Problems))
	}
	prefix := ""
	switch {
	case wouldHave(err):
		prefix = "nothing was imported; it would have been "
	case err != nil && s.Rows == 0:
		return nil
	case err != nil:
		prefix = "so far, of "
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), prefix+summary(s.Report))
	return err
}

// printProblems prints up to most problems in their order, those of rejected rows before warnings where there are more, and says how
// many others there are.
func printProblems(out io.Writer, r inventory.Report, most int) {
	problems, left := r.Problems, len(r.Problems)-most
	if left > 0 {
		problems = firstProblems(problems, most)
	}
	for _, kind := range r.Omitted {
		left += kind.Count
	}
	for _, p := range problems {
		fmt.Fprintf(out, "%s: %s — %s\n", place(p), p.Problem, p.Correction)
	}
	if left > 0 {
		fmt.Fprintf(out, "… and %d more; --json says which\n", left)
	}
}

func firstProblems(problems []inventory.RowProblem, most int) []inventory.RowProblem {
	first := make([]inventory.RowProblem, 0, most)
	for _, warnings := range []bool{false, true} {
		for _, p := range problems {
			if p.Warning == warnings && len(first) < most {
				first = append(first, p)
			}
		}
	}
	return first
}

// place is file:line, the element of a JSON array, the column where the problem has one, and whether the row was taken nevertheless.
func place(p inventory.RowProblem) string {
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	if p.Element > 0 {
		at += fmt.Sprintf(": element %d", p.Element)
	}
	if p.Column != "" {
		at += ": " + p.Column
	}
	if p.Warning {
		at += ": warning"
	}
	return at
}

// summary is one line about an import. Vehicles that the file does not name come last: they stand for no row.
func summary(r inventory.Report) string {
	line := fmt.Sprintf("%s: %d listed, %d updated, %d delisted, %d unchanged, %d superseded, %d rejected",
		rows(r.Rows), r.Listed, r.Updated, r.Delisted, r.Unchanged, r.Superseded, r.Rejected)
	if r.Encoding != "" {
		line += "; read as " + r.Encoding
	}
	if r.Confirmed > 0 {
		line += fmt.Sprintf("; %d confirmed", r.Confirmed)
	}
	if r.Missing > 0 {
		line += fmt.Sprintf("; %d not in the file, delisted", r.Missing)
	}
	if r.MissingKept > 0 {
		line += fmt.Sprintf("; %d not in the file, kept: which vehicle a rejected row is about cannot be told", r.MissingKept)
	}
	return line
}
