package feed

import (
	"cmp"
	"slices"
	"strings"
)

// Problem says what is wrong with a row of a feed and how to correct it. It holds no value of the feed except names of columns.
type Problem struct {
	File string `json:"file"`
	// Line is where the row begins, from 1.
	Line int `json:"line"`
	// Element is the row's place in a JSON array, from 1; 0 in any other file.
	Element int `json:"element,omitempty"`
	// Column is the header or member that is meant; "" is the whole row.
	Column     string `json:"column,omitempty"`
	Problem    string `json:"problem"`
	Correction string `json:"correction"`
	// Warning says that the row was taken nevertheless.
	Warning bool `json:"warning,omitempty"`
}

// MaxProblems is how many problems of a file are listed, and how many warnings beside them. The rest is counted by kind.
const MaxProblems = 1000

// Omitted counts the problems of one kind that are not listed.
type Omitted struct {
	// Column is as in Problem. In the last kinds of a file that has very many it is "".
	Column string `json:"column,omitempty"`
	// Problem is the text with "…" for its numbers.
	Problem string `json:"problem"`
	Warning bool   `json:"warning,omitempty"`
	Count   int    `json:"count"`
}

// maxKinds bounds the kinds of omitted problems; those of AAP JSON name members that a file may have any number of.
const maxKinds = 200

// badValue is why a value cannot be read.
type badValue struct{ problem, correction string }

func bad(problem, correction string) *badValue { return &badValue{problem, correction} }

// problemList lists the first problems of a file and counts the rest.
type problemList struct {
	listed           []Problem
	errors, warnings int // listed
	omitted          map[Omitted]int
}

func (l *problemList) add(p Problem) {
	listed := &l.errors
	if p.Warning {
		listed = &l.warnings
	}
	if *listed < MaxProblems {
		*listed++
		l.listed = append(l.listed, p)
		return
	}
	l.omit(Omitted{Column: p.Column, Problem: withoutNumbers(p.Problem), Warning: p.Warning}, 1)
}

func (l *problemList) omit(kind Omitted, n int) {
	if _, ok := l.omitted[kind]; !ok && len(l.omitted) >= maxKinds {
		kind = Omitted{Problem: "other problems", Warning: kind.Warning}
	}
	if l.omitted == nil {
		l.omitted = make(map[Omitted]int)
	}
	l.omitted[kind] += n
}

// merge adds the problems of a part of the file.
func (l *problemList) merge(part *problemList) {
	for _, p := range part.listed {
		l.add(p)
	}
	for kind, n := range part.omitted {
		l.omit(kind, n)
	}
}

// inOrder returns the listed problems in the order of the file.
func (l *problemList) inOrder() []Problem {
	slices.SortStableFunc(l.listed, func(x, y Problem) int { return cmp.Or(x.Line-y.Line, x.Element-y.Element) })
	return l.listed
}

// counts returns what is not listed, the most frequent kind first.
func (l *problemList) counts() []Omitted {
	var all []Omitted
	for kind, n := range l.omitted {
		kind.Count = n
		all = append(all, kind)
	}
	slices.SortFunc(all, func(x, y Omitted) int {
		return cmp.Or(y.Count-x.Count, strings.Compare(x.Column, y.Column), strings.Compare(x.Problem, y.Problem))
	})
	return all
}

// withoutNumbers makes one text of those that differ by numbers.
func withoutNumbers(text string) string {
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	var kind strings.Builder
	for text != "" {
		n := strings.IndexFunc(text, isDigit)
		if n < 0 {
			break
		}
		kind.WriteString(text[:n] + "…")
		text = strings.TrimLeftFunc(text[n:], isDigit)
	}
	return kind.String() + text
}
