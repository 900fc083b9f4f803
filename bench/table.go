package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// printTables writes a table for each subject.
func printTables(w io.Writer, subjects []Subject) error {
	for _, s := range subjects {
		fmt.Fprintf(w, "\n%s, in %s: median (least – most); ratio: %s\n\n", s.Name, unitName(s.Unit), s.Ratio)
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "\tsize\tfound\tservice\t%s\tratio\n", s.Peer)
		last := ""
		for _, f := range s.Figures {
			name := f.Case
			if name == last {
				name = ""
			}
			last = f.Case
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", name, whole(float64(f.Size)), f.found(), f.Ours.in(s.Unit), f.Theirs.in(s.Unit), ratio(f.Ratio))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// found is how many vehicles the query in the middle matches; nothing where none is asked for.
func (f Figure) found() string {
	if f.Found == nil {
		return ""
	}
	return whole(f.Found.Median)
}

func unitName(unit string) string {
	if unit == "ns" {
		return "time per call"
	}
	return unit
}

// in writes a spread such as "1.2ms (1.1ms – 1.4ms)".
func (s Spread) in(unit string) string {
	write := whole
	if unit == "ns" {
		write = duration
	}
	return fmt.Sprintf("%s (%s – %s)", write(s.Median), write(s.Min), write(s.Max))
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	grain := time.Nanosecond
	for limit := 1_000.0; ns >= limit; limit *= 10 {
		grain *= 10
	}
	return time.Duration(ns).Round(grain).String()
}

// whole writes a number with a comma between thousands.
func whole(n float64) string {
	digits := fmt.Sprintf("%.0f", n)
	var out strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(c)
	}
	return out.String()
}

func ratio(r float64) string {
	if r >= 100 {
		return whole(r)
	}
	return fmt.Sprintf("%.2f", r)
}
