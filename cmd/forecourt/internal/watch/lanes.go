package watch

import "time"

// The delay before a file is tried again, doubled each time.
const (
	firstDelay   = time.Second
	longestDelay = 30 * time.Second
)

// lanes are the complete files by tenant, each lane in its order of arrival. One file of a lane is in hand at a time; a file that is to
// be tried again keeps those behind it waiting, and nobody else.
type lanes struct {
	most, running int
	added         int
	byTenant      map[string]*lane
}

type lane struct {
	queue []queued
	busy  bool // its first file is in hand
	// notBefore is when its first file may be tried again after delay.
	notBefore time.Time
	delay     time.Duration
}

type queued struct {
	file
	turn int // the order over all lanes
}

func newLanes(most int) lanes { return lanes{most: most, byTenant: map[string]*lane{}} }

func (l *lanes) add(f file) {
	if l.byTenant[f.tenant] == nil {
		l.byTenant[f.tenant] = &lane{}
	}
	lane := l.byTenant[f.tenant]
	lane.queue = append(lane.queue, queued{f, l.added})
	l.added++
}

// next hands out the file that has waited longest of those that may be in hand now; it must be given back to done.
func (l *lanes) next(now time.Time) (file, bool) {
	if l.running == l.most {
		return file{}, false
	}
	var first *lane
	for _, lane := range l.byTenant {
		if !lane.busy && !now.Before(lane.notBefore) && (first == nil || lane.queue[0].turn < first.queue[0].turn) {
			first = lane
		}
	}
	if first == nil {
		return file{}, false
	}
	first.busy = true
	l.running++
	return first.queue[0].file, true
}

// done takes a file out of hand. It returns how long one that is to be tried again waits, else 0.
func (l *lanes) done(f file, retry bool, now time.Time) time.Duration {
	lane := l.byTenant[f.tenant]
	lane.busy = false
	l.running--
	if retry {
		lane.delay = min(max(2*lane.delay, firstDelay), longestDelay)
		lane.notBefore = now.Add(lane.delay)
		return lane.delay
	}
	lane.delay, lane.notBefore = 0, time.Time{}
	if lane.queue = lane.queue[1:]; len(lane.queue) == 0 {
		delete(l.byTenant, f.tenant)
	}
	return 0
}

// wake is when the next file that waits may be tried again; zero when none waits.
func (l *lanes) wake(now time.Time) time.Time {
	var next time.Time
	for _, lane := range l.byTenant {
		if !lane.busy && lane.notBefore.After(now) && (next.IsZero() || lane.notBefore.Before(next)) {
			next = lane.notBefore
		}
	}
	return next
}
