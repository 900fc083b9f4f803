package calendar_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
)

// beforeChanges are instants a day or two before clocks change, by zone.
var beforeChanges = map[string][]string{
	"America/Los_Angeles":  {"2026-03-07T10:00:00Z", "2026-10-30T20:00:00Z"},
	"Europe/Berlin":        {"2026-03-28T03:00:00Z", "2026-10-24T03:00:00Z"},
	"Australia/Lord_Howe":  {"2026-10-02T12:00:00Z", "2026-04-03T12:00:00Z"},
	"America/Phoenix":      {"2026-03-07T10:00:00Z"},
	"Asia/Beirut":          {"2026-03-27T22:30:00Z", "2026-10-23T10:00:00Z"},
	"America/Havana":       {"2026-10-31T04:30:00Z"},
	"Antarctica/Troll":     {"2026-10-24T10:00:00Z"},
	"America/Scoresbysund": {"2026-10-23T20:00:00Z"},
	"UTC":                  {"2028-02-28T12:00:00Z", "2026-12-31T12:00:00Z"},
}

// A run is one office through wishes, changes of its settings and time.
type run struct {
	model
	openings [][2]time.Time
	office   calendar.Office
	ledgers  map[calendar.Date][]calendar.Booking
}

func newRun(t *rapid.T) *run {
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(beforeChanges))).Draw(t, "zone")
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{ledgers: make(map[calendar.Date][]calendar.Booking)}
	r.zone, r.now = zone, instant(rapid.SampledFrom(beforeChanges[name]).Draw(t, "now"))
	r.change(t)
	return r
}

// change draws hours and settings anew; what is booked stays.
func (r *run) change(t *rapid.T) {
	clock := rapid.Map(rapid.IntRange(0, 24*12-1), func(n int) string { return fmt.Sprintf("%02d:%02d", n/12, n%12*5) })
	r.week = make(map[string]*tenant.Hours)
	for day := range time.Saturday + 1 {
		open, close := clock.Draw(t, "open"), clock.Draw(t, "close")
		if open < close {
			r.week[strings.ToLower(day.String())] = &tenant.Hours{Open: open, Close: close}
		}
	}
	r.week["monday"] = &tenant.Hours{Open: "00:30", Close: "23:30"} // at least
	r.settings = tenant.Appointments{
		SlotMinutes:   rapid.SampledFrom([]int{5, 20, 30, 45, 90, 480}).Draw(t, "slot"),
		Capacity:      rapid.IntRange(1, 3).Draw(t, "capacity"),
		NoticeMinutes: new(rapid.SampledFrom([]int{0, 1, 60, 1500}).Draw(t, "notice")),
		HorizonDays:   rapid.IntRange(1, 4).Draw(t, "horizon"),
	}
	r.opened(t)
}

// opened looks up the hours again.
func (r *run) opened(t *rapid.T) {
	r.openings = r.model.openings()
	office, ok := calendar.OfficeOf(
		dealer(r.settings, at("North", r.zone.String(), tenant.Schedule{Value: r.week})), "North", "sales")
	if !ok {
		t.Fatal("the hours are not known")
	}
	r.office = office
}

func (r *run) pass(t *rapid.T) {
	r.now = r.now.Add(time.Duration(rapid.IntRange(1, 24*60).Draw(t, "minutes")) * time.Minute)
	r.opened(t)
}

func (r *run) draw(t *rapid.T) calendar.Wish {
	at := r.now.Add(time.Duration(rapid.IntRange(-12*12, 6*24*12).Draw(t, "at")) * step).Truncate(step)
	if rapid.IntRange(0, 3).Draw(t, "beside") == 0 {
		at = at.Add(time.Duration(rapid.Int64Range(1, int64(step)).Draw(t, "beside the minute")))
	}
	if len(r.openings) > 0 && rapid.Bool().Draw(t, "at an opening or a closing") {
		o := rapid.SampledFrom(r.openings).Draw(t, "opening")
		at = o[rapid.IntRange(0, 1).Draw(t, "end")].Add(time.Duration(rapid.IntRange(-3, 3).Draw(t, "steps")) * step)
	}
	length := rapid.SampledFrom([]int{0, 15, 20, 60, 240, 1440}).Draw(t, "length")
	return calendar.Wish{At: at, Duration: time.Duration(length) * time.Minute}
}

// wish decides, holds the decision against the model and the rules, and books what is confirmed.
func (r *run) wish(t *rapid.T) {
	w := r.draw(t)
	confirmed, proposed := r.model.decide(r.openings, w)
	switch d := r.decide(t, w).(type) {
	case calendar.Confirmed:
		if !confirmed || !d.Start.Equal(w.At) || d.Date != r.office.Day(w.At) {
			t.Fatalf("%v is confirmed as %v, the model proposes %v", w, text(d), proposed)
		}
		r.book(t, d)
	case calendar.Proposed:
		if diff := cmp.Diff(proposed, d.Times); diff != "" || confirmed {
			t.Fatalf("%v: confirmed = %t, proposed %s", w, confirmed, diff)
		}
		for _, at := range d.Times {
			if _, ok := r.decide(t, calendar.Wish{At: at, Duration: w.Duration}).(calendar.Confirmed); !ok {
				t.Fatalf("%v is proposed and not to be had", at)
			}
		}
	case calendar.Unavailable:
		if confirmed || len(proposed) > 0 {
			t.Fatalf("%v is unavailable, the model says %t, %v", w, confirmed, proposed)
		}
	}
}

// decide asks the office, which may ask for each open day once.
func (r *run) decide(t *rapid.T, w calendar.Wish) calendar.Decision {
	asked := make(map[calendar.Date]bool)
	decision, err := r.office.Decide(w, r.now, func(d calendar.Date) ([]calendar.Booking, error) {
		if asked[d] {
			t.Fatalf("%v is asked for twice", d)
		}
		asked[d] = true
		if !slices.ContainsFunc(r.openings, func(o [2]time.Time) bool { return r.office.Day(o[0]) == d }) {
			t.Fatalf("%v is closed and asked for", d)
		}
		return r.ledgers[d], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return decision
}

// book adds to the day's ledger alone what the model looks at as a whole: days must not share a moment.
func (r *run) book(t *rapid.T, d calendar.Confirmed) {
	b := calendar.Booking{Start: d.Start, End: d.End}
	r.ledgers[d.Date] = append(r.ledgers[d.Date], b)
	if n := r.most(d.Start, d.End) + 1; n > r.settings.Seats() {
		t.Fatalf("%d appointments at once in %v, of %d", n, b, r.settings.Seats())
	}
	r.booked = append(r.booked, b)
}

func TestDecide_NeverBooksMoreThanThereIs_WhateverChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newRun(t)
		t.Repeat(map[string]func(*rapid.T){
			"wish": r.wish, "wish again": r.wish, "and again": r.wish, "change": r.change, "time passes": r.pass,
		})
	})
}
