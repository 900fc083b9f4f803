package postgres

import (
	"context"
	"sync"
)

// wakeups hands the notifications of one connection to whoever waits for the revision that they name. Its sessions of hearing
// begin and end with the connection.
type wakeups struct {
	mu      sync.Mutex
	waiting map[uint64]*waiters
	hearing chan struct{} // closed while notifications arrive
	deaf    chan struct{} // closed when they stop to; of the session that hearing belongs to
}

// waiters are those who wait for the change of one revision.
type waiters struct {
	changed chan struct{} // closed by the notification
	count   int
}

func newWakeups() *wakeups {
	return &wakeups{waiting: make(map[uint64]*waiters), hearing: make(chan struct{}), deaf: make(chan struct{})}
}

// wait is one place among the waiters.
type wait struct {
	changed <-chan struct{} // closed once the notification has come
	deaf    <-chan struct{} // closed when it may be missed from now on
	leave   func()          // must be called
}

// join waits until notifications arrive and joins those who wait for a revision.
func (w *wakeups) join(ctx context.Context, revision uint64) (wait, error) {
	for {
		joined, hearing, ok := w.tryJoin(revision)
		if ok {
			return joined, nil
		}
		select {
		case <-hearing:
		case <-ctx.Done():
			return wait{}, ctx.Err()
		}
	}
}

// tryJoin joins if notifications arrive. If not, hearing closes when they do.
func (w *wakeups) tryJoin(revision uint64) (joined wait, hearing <-chan struct{}, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.hearing:
	default:
		return wait{}, w.hearing, false
	}
	at := w.waiting[revision]
	if at == nil {
		at = &waiters{changed: make(chan struct{})}
		w.waiting[revision] = at
	}
	at.count++
	return wait{changed: at.changed, deaf: w.deaf, leave: func() { w.leave(revision, at) }}, nil, true
}

func (w *wakeups) leave(revision uint64, at *waiters) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at.count--; at.count == 0 && w.waiting[revision] == at {
		delete(w.waiting, revision)
	}
}

// wake ends the wait for a revision.
func (w *wakeups) wake(revision uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if at := w.waiting[revision]; at != nil {
		close(at.changed)
		delete(w.waiting, revision)
	}
}

// begin says that notifications arrive from now on.
func (w *wakeups) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deaf = make(chan struct{})
	close(w.hearing)
}

// end says that they do no more.
func (w *wakeups) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.hearing = make(chan struct{})
	close(w.deaf)
}
