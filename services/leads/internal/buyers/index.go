package buyers

import (
	"bytes"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"forecourt.internal/platform/turns"
	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
)

// Index holds the buyers of recent leads. It is safe for concurrent use.
type Index struct {
	events  *eventlog.Log
	windows Windows
	log     *slog.Logger
	now     func() time.Time
	every   time.Duration // of the upkeep

	hash  hasher
	turns turns.Turns[sum] // by contact

	mu          sync.RWMutex
	generations map[int64]*generation
	first       int64 // the generation before which nothing is kept

	since    time.Time // every lead received from then on is here, once the index has caught up; for Run only
	started  atomic.Bool
	caughtUp atomic.Bool
	backlog  atomic.Uint64 // messages to read at the start
	read     atomic.Uint64 // messages that were read
	last     atomic.Uint64 // the sequence of the last of them
}

// New returns an index that is empty until Run has filled it.
func New(events *eventlog.Log, windows Windows, log *slog.Logger) *Index {
	return &Index{
		events: events, windows: windows, log: log, now: time.Now, every: time.Second,
		hash: newHasher(), generations: map[int64]*generation{},
	}
}

// Note adds a lead that is in the log: the buyer b asked for it through the caller, and its key was first claimed at received. What the
// log brings again is the same lead.
func (x *Index) Note(tenant, caller string, b domain.Buyer, id domain.LeadID, received time.Time) {
	lead, err := ulid.ParseStrict(id.ULID())
	if err != nil {
		return // no lead of ours
	}
	e := entry{lead: lead, received: received.UnixNano(), caller: x.hash.of(caller), interest: x.hash.interest(b.Interest)}
	contacts := x.hash.contacts(tenant, b)
	n := number(received)
	x.mu.Lock()
	defer x.mu.Unlock()
	if n < x.first {
		return
	}
	g := x.generations[n]
	if g == nil {
		g = newGeneration()
		x.generations[n] = g
	}
	g.add(e, contacts)
}

// First finds the earliest lead of the tenant's current window that is the buyer's and about the same; one of the same caller comes before
// those of all others. Leads that other replicas have recorded are known as soon as the log has brought them.
func (x *Index) First(tenant, caller string, b domain.Buyer, now time.Time) (domain.Earlier, bool) {
	window := min(x.windows.Window(tenant), maxWindow)
	if window <= 0 {
		return domain.Earlier{}, false
	}
	f := search{
		after: now.Add(-window).UnixNano(), caller: x.hash.of(caller), interest: x.hash.interest(b.Interest),
	}
	contacts := x.hash.contacts(tenant, b)
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, g := range x.generations {
		g.each(contacts, f.visit)
	}
	if f.best == nil {
		return domain.Earlier{}, false
	}
	return domain.Earlier{LeadID: domain.LeadIDOf(f.best.lead.String()), SameCaller: f.best.caller == f.caller}, true
}

// search is for the best of the leads that it visits.
type search struct {
	after    int64 // nanoseconds since 1970
	caller   sum
	interest domain.Interest[sum]
	best     *entry
}

func (s *search) visit(e *entry) {
	if e.received > s.after && e.interest.Same(s.interest) && (s.best == nil || s.better(e)) {
		s.best = e
	}
}

// better compares with the best so far. Leads received at one time have an order, too, so that replicas agree.
func (s *search) better(e *entry) bool {
	own, bestOwn := e.caller == s.caller, s.best.caller == s.caller
	switch {
	case own != bestOwn:
		return own
	case e.received != s.best.received:
		return e.received < s.best.received
	default:
		return bytes.Compare(e.lead[:], s.best.lead[:]) < 0
	}
}

// oldest is when a lead must have been received to count for any tenant.
func (x *Index) oldest() time.Time { return x.now().Add(-min(x.windows.Longest(), maxWindow)) }
