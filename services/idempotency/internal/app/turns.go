package app

import (
	"context"
	"sync"

	"forecourt.internal/platform/idemkey"
)

// turns lets the attempts of this process under one key go one at a time, in order of arrival. Without it every change of a
// contended row would wake all of them, and all but one would lose the race for it.
type turns struct {
	mu     sync.Mutex
	queues map[idemkey.Digest]*queue
}

// queue is one key's turn: whoever has put a token into it. It lives while anyone holds or wants it.
type queue struct {
	turn  chan struct{}
	users int
}

// take waits for the caller's turn at a key; leave ends it. ok is false when ctx is done first.
func (t *turns) take(ctx context.Context, k idemkey.Digest) (leave func(), ok bool) {
	q := t.join(k)
	select {
	case q.turn <- struct{}{}: // waiting senders are served first come, first served
		return func() { <-q.turn; t.part(k, q) }, true
	case <-ctx.Done():
		t.part(k, q)
		return nil, false
	}
}

func (t *turns) join(k idemkey.Digest) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[k]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		t.queues[k] = q
	}
	q.users++
	return q
}

func (t *turns) part(k idemkey.Digest, q *queue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(t.queues, k)
	}
}
