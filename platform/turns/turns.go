// Package turns lets work under one key go one at a time within a process, in order of arrival: for what is decided elsewhere, by a
// database or a broker, but would be tried in vain by all but one when many try at once.
package turns

import (
	"context"
	"sync"
)

// Turns hands out turns by key. The zero value is ready; it is safe for concurrent use, and remembers a key only while somebody has or
// wants its turn.
type Turns[K comparable] struct {
	mu     sync.Mutex
	queues map[K]*queue
}

// queue is one key's turn: whoever has put a token into it.
type queue struct {
	turn  chan struct{}
	users int // who has the turn or wants it
}

// Take waits for the caller's turn at a key; leave ends it and must be called once. It returns the error of ctx when that is done before.
func (t *Turns[K]) Take(ctx context.Context, key K) (leave func(), err error) {
	q := t.join(key)
	select {
	case q.turn <- struct{}{}: // waiting senders are served first come, first served
		return func() { <-q.turn; t.part(key, q) }, nil
	case <-ctx.Done():
		t.part(key, q)
		return nil, ctx.Err()
	}
}

func (t *Turns[K]) join(key K) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	q := t.queues[key]
	if q == nil {
		q = &queue{turn: make(chan struct{}, 1)}
		if t.queues == nil {
			t.queues = make(map[K]*queue)
		}
		t.queues[key] = q
	}
	q.users++
	return q
}

func (t *Turns[K]) part(key K, q *queue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if q.users--; q.users == 0 {
		delete(t.queues, key)
	}
}
