package projection

import (
	"fmt"
	"sync"
	"time"
)

// maxDelay is for how long events may wait in a replica that is current, and the broker may not say what there is. How many wait
// does not matter: a large import is some seconds of work, and would take every replica out of service at once.
const maxDelay = 5 * time.Second

// lag is how far the index is behind the stream. Sequences are the stream's.
type lag struct {
	mu       sync.Mutex
	answered time.Time // when the broker last told the end of the stream
	last     uint64    // that end
	// goal is an end that was told at goalSet and is to be reached; from is what was applied at that time.
	goal, from uint64
	goalSet    time.Time
}

// observe takes note of the end of the stream and of what is applied. A new goal is set whenever the last one is reached, or gone: the
// newest messages can be deleted.
func (l *lag) observe(now time.Time, last, applied uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered, l.last = now, last
	if applied >= min(l.goal, last) {
		l.goal, l.from, l.goalSet = last, applied, now
	}
}

// problem says why the index is not current, given what is applied now; nil when it is.
func (l *lag) problem(now time.Time, applied uint64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var behind uint64
	if l.last > applied {
		behind = l.last - applied
	}
	delay := now.Sub(l.goalSet)
	late := applied < l.goal && delay > maxDelay
	switch {
	case late && applied == l.from:
		return fmt.Errorf("behind by %d events for %s, and none was read in that time", behind, seconds(delay))
	case late:
		return fmt.Errorf("behind by %d events for %s", behind, seconds(delay))
	case now.Sub(l.answered) > maxDelay:
		return fmt.Errorf("the broker has not answered for %s", seconds(now.Sub(l.answered)))
	}
	return nil
}

// silence is for how long the broker has not answered.
func (l *lag) silence(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.answered.IsZero() {
		return 0
	}
	return seconds(now.Sub(l.answered))
}

func seconds(d time.Duration) time.Duration { return d.Round(time.Second) }
