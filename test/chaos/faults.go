package chaos

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The faults of processes, of links and of the database.
const (
	Kill   Kind = "kill"   // SIGKILL, and started again at the end
	Pause  Kind = "pause"  // SIGSTOP to SIGCONT
	Cut    Kind = "cut"    // connections end, and new ones are refused
	Slow   Kind = "slow"   // both ways take Amount milliseconds
	Stall  Kind = "stall"  // nothing passes, connections stay
	Deafen Kind = "deafen" // what is sent arrives, the answers do not
	Reset  Kind = "reset"  // connections are reset when an answer comes
	Narrow Kind = "narrow" // Amount KB/s pass
	Forget Kind = "forget" // the database loses every row about keys
)

// mix is how often each kind comes, of 21.
var mix = map[Kind]int{Kill: 7, Pause: 4, Cut: 2, Slow: 1, Stall: 2, Deafen: 2, Reset: 1, Narrow: 1, Forget: 1}

// Fault is broken from At to At + For after the start.
type Fault struct {
	At, For time.Duration
	Kind    Kind
	Target  string // of a process or link
	Amount  int    // ms of Slow, KB/s of Narrow
}

// Targets are the names of what can be broken.
type Targets struct {
	Kill, Pause, Links []string
}

// Pace of the faults.
const (
	meanGap  = 1200 * time.Millisecond
	shortest = 100 * time.Millisecond
	// atOnce bounds how many faults there are at the same time: with more of them nothing happens that could go wrong.
	atOnce = 3
)

// Plan makes the faults of a run, in order of their start. All have ended after d. The same arguments make the same faults.
func Plan(seed uint64, d, lease time.Duration, targets Targets) []Fault {
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := newDeck(r, kindCards())
	victims := map[Kind]*deck[string]{
		Kill: newDeck(r, targets.Kill), Pause: newDeck(r, targets.Pause), Cut: newDeck(r, targets.Links),
		Forget: newDeck(r, []string{postgres}),
	}
	var plan []Fault
	for at := shortest; ; {
		at += gap(r)
		at = afterOthers(plan, at)
		f := Fault{At: at, Kind: kinds.next()}
		f.For, f.Amount = extent(r, f.Kind, lease)
		if at+shortest > d {
			return plan
		}
		f.For = min(f.For, d-at)
		from := victims[f.Kind]
		if from == nil {
			from = victims[Cut] // all links
		}
		f.Target = from.next()
		if !slices.ContainsFunc(plan, func(g Fault) bool { return g.Target == f.Target && g.At+g.For >= f.At }) {
			plan = append(plan, f)
		}
	}
}

// afterOthers returns when a further fault may start, from at on.
func afterOthers(plan []Fault, at time.Duration) time.Duration {
	var ends []time.Duration
	for _, f := range plan {
		if end := f.At + f.For; end > at {
			ends = append(ends, end)
		}
	}
	if len(ends) < atOnce {
		return at
	}
	slices.Sort(ends)
	return ends[len(ends)-atOnce]
}

func gap(r *rand.Rand) time.Duration {
	return min(time.Duration(r.ExpFloat64()*float64(meanGap)), 4*meanGap).Round(time.Millisecond)
}

// extent draws how long a fault lasts and how strong it is. Half of the pauses and stalls are longer than a lease.
func extent(r *rand.Rand, kind Kind, lease time.Duration) (d time.Duration, amount int) {
	between := func(low, high time.Duration) time.Duration {
		return (low + time.Duration(r.Int64N(int64(high-low)))).Round(time.Millisecond)
	}
	switch kind {
	case Forget:
		return shortest, 0
	case Kill:
		return between(shortest, 2*time.Second), 0
	case Pause, Stall, Deafen:
		return between(lease/2, lease*3/2), 0
	case Slow:
		return between(time.Second, 4*time.Second), 20 + r.IntN(600)
	case Narrow:
		return between(time.Second, 4*time.Second), 2 + r.IntN(30)
	default:
		return between(shortest, lease), 0
	}
}

func kindCards() []Kind {
	var cards []Kind
	for _, kind := range slices.Sorted(maps.Keys(mix)) {
		cards = append(cards, slices.Repeat([]Kind{kind}, mix[kind])...)
	}
	return cards
}

// deck deals cards in random order, all of them before any again.
type deck[T any] struct {
	r     *rand.Rand
	cards []T
	dealt int
}

func newDeck[T any](r *rand.Rand, cards []T) *deck[T] {
	return &deck[T]{r: r, cards: slices.Clone(cards), dealt: len(cards)}
}

func (d *deck[T]) next() T {
	if d.dealt == len(d.cards) {
		d.r.Shuffle(len(d.cards), func(i, j int) { d.cards[i], d.cards[j] = d.cards[j], d.cards[i] })
		d.dealt = 0
	}
	d.dealt++
	return d.cards[d.dealt-1]
}

// schedule writes a plan for people.
func schedule(plan []Fault) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range plan {
		fmt.Fprintf(w, "%.2fs\t+%.2fs\t  %s %s", f.At.Seconds(), f.For.Seconds(), f.Kind, f.Target)
		if f.Amount > 0 {
			fmt.Fprintf(w, " %d", f.Amount)
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}
