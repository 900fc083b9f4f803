package calendar

import (
	"cmp"
	"slices"
	"time"
)

// maxProposals is how many times are proposed instead of a wish (contract, lead.submit).
const maxProposals = 3

// starts are the times of a day at which an appointment could start: first, and each slot from there on up to last.
type starts struct {
	date        Date
	first, last time.Time
}

// near is a time between first and last to which none of them is nearer the wish.
func (s starts) near(wish time.Time) time.Time { return earliest(latest(wish, s.first), s.last) }

// nearest returns the open times nearest to the wish, in chronological order.
func (o Office) nearest(w Wish, now time.Time, days ledgers) ([]time.Time, error) {
	var found []time.Time // the nearest first
	for _, day := range o.startsNear(w, now) {
		if len(found) == maxProposals && nearer(w.At, found[maxProposals-1], day.near(w.At)) < 0 {
			break // this day and all that follow have nothing nearer
		}
		for t := day.first; !t.After(day.last); t = t.Add(o.slot) {
			free, err := days.free(day.date, span{t, t.Add(w.Duration)})
			if err != nil {
				return nil, err
			}
			if free {
				found = append(found, t)
			}
		}
		slices.SortFunc(found, func(a, b time.Time) int { return nearer(w.At, a, b) })
		found = found[:min(len(found), maxProposals)]
	}
	slices.SortFunc(found, time.Time.Compare)
	return found, nil
}

// startsNear returns the days that have room for the wished length, between the notice and the horizon, the nearest first.
func (o Office) startsNear(w Wish, now time.Time) []starts {
	var days []starts
	for n := range o.horizon + 1 {
		date := o.Day(now).after(n)
		open := o.opening(date)
		if open.empty() {
			continue
		}
		s := starts{date, open.start, open.end.Add(-w.Duration)}
		if wait := now.Add(o.notice).Sub(s.first); wait > 0 {
			s.first = s.first.Add((wait + o.slot - 1) / o.slot * o.slot)
		}
		if !s.first.After(s.last) {
			days = append(days, s)
		}
	}
	slices.SortFunc(days, func(a, b starts) int { return nearer(w.At, a.near(w.At), b.near(w.At)) })
	return days
}

// nearer is negative when a is nearer to the wish than b; of two at the same distance the earlier is. A wish may be further away than a
// time.Duration can say, and is then at the same distance from both.
func nearer(wish, a, b time.Time) int {
	if !a.After(wish) && !b.After(wish) {
		return b.Compare(a)
	}
	return cmp.Or(cmp.Compare(a.Sub(wish).Abs(), b.Sub(wish).Abs()), a.Compare(b))
}
