package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// agents is how many agents there are at the same time.
const agents = 64

// Driver is all agents.
type Driver struct {
	history *History
	edges   []*Edge
	seed    uint64
	began   time.Time
	cases   atomic.Uint64

	mu       sync.Mutex
	accepted map[Key]bool
	settled  []Submission // the accepted ones, each once
}

// Submission is a lead of an agent.
type Submission struct {
	Key     Key
	Variant string
	Lead    map[string]any
}

// NewDriver makes agents that know the edges at these base URLs. The seed gives what they send, but not when.
func NewDriver(urls []string, seed uint64, began time.Time) *Driver {
	d := &Driver{history: &History{}, seed: seed, began: began, accepted: map[Key]bool{}}
	for i, url := range urls {
		d.edges = append(d.edges, &Edge{
			Name: fmt.Sprintf("edge-%d", i+1), URL: url,
			HTTP: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * agents}},
		})
	}
	return d
}

// Run has the agents submit leads until stop is done, and each of those until it is answered or ctx is done.
func (d *Driver) Run(ctx, stop context.Context) {
	var all sync.WaitGroup
	for range agents {
		all.Go(func() {
			for stop.Err() == nil && ctx.Err() == nil {
				n := d.cases.Add(1)
				d.play(ctx, n, rand.New(rand.NewPCG(d.seed, n)))
			}
		})
	}
	all.Wait()
}

// Replay submits up to n of the accepted leads again, long after the first answer.
func (d *Driver) Replay(ctx context.Context, n int) {
	r := rand.New(rand.NewPCG(d.seed, 0))
	work := make(chan Submission)
	var all sync.WaitGroup
	for w := range uint64(agents) {
		r := rand.New(rand.NewPCG(d.seed+1, w))
		all.Go(func() {
			for s := range work {
				d.settle(ctx, r, s, r.IntN(len(d.edges)))
			}
		})
	}
	for _, i := range r.Perm(len(d.settled))[:min(n, len(d.settled))] {
		work <- d.settled[i] // no agent accepts another one meanwhile
	}
	close(work)
	all.Wait()
}

// plan notes a lead before any attempt of it.
func (d *Driver) plan(key Key, variant string, lead map[string]any, refusals ...string) Submission {
	text, _ := json.Marshal(lead) // of texts and numbers
	d.history.Plan(key, variant, Payload{Canonical: canonical(text), Refusals: refusals})
	return Submission{Key: key, Variant: variant, Lead: lead}
}

// settle submits a lead as an agent must: until there is an answer, at the other edge after each failure, and after the time that
// a refusal asks for, or longer each time when it asks for none.
func (d *Driver) settle(ctx context.Context, r *rand.Rand, s Submission, edge int) Answer {
	for tries := 0; ; tries++ {
		answer := d.attempt(ctx, s, edge, patience(r))
		if answer.Final() {
			if answer.Outcome == Accepted {
				d.note(s)
			}
			return answer
		}
		pause := max(answer.RetryAfter, time.Duration(50+r.IntN(100))*time.Millisecond<<min(tries, 4))
		if !sleep(ctx, pause) {
			return answer
		}
		edge = (edge + 1) % len(d.edges)
	}
}

// note keeps an accepted lead for again.
func (d *Driver) note(s Submission) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.accepted[s.Key] {
		d.accepted[s.Key] = true
		d.settled = append(d.settled, s)
	}
}

// patience is how long an agent waits for one answer. Some do not wait long enough, and others longer than an edge ever takes.
func patience(r *rand.Rand) time.Duration {
	switch n := r.IntN(10); {
	case n < 2:
		return time.Duration(50+r.IntN(500)) * time.Millisecond
	case n < 7:
		return time.Duration(2+r.IntN(4)) * time.Second
	default:
		return 30 * time.Second
	}
}

// attempt makes one call and notes it.
func (d *Driver) attempt(ctx context.Context, s Submission, edge int, patience time.Duration) Answer {
	arguments, err := json.Marshal(with(s.Lead, "submitted_at", time.Now().UTC().Format(time.RFC3339Nano)))
	if err != nil {
		return invalid("encode the lead: %v", err)
	}
	a := Attempt{Key: s.Key, Variant: s.Variant, Edge: d.edges[edge].Name, Sent: time.Since(d.began)}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a.Answer = d.edges[edge].Submit(ctx, s.Key.Tenant, arguments)
	a.Answered = time.Since(d.began)
	d.history.Add(a)
	return a.Answer
}

// again submits one of the accepted leads once more, if there is one.
func (d *Driver) again(ctx context.Context, r *rand.Rand) {
	d.mu.Lock()
	n := len(d.settled)
	var s Submission
	if n > 0 {
		s = d.settled[r.IntN(n)]
	}
	d.mu.Unlock()
	if n > 0 {
		d.settle(ctx, r, s, r.IntN(len(d.edges)))
	}
}
