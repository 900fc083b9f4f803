package projection

import (
	"context"
	"hash/maphash"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"forecourt.internal/services/inventory/internal/eventlog"
)

const (
	// maxBatch is how many messages are handed on together.
	maxBatch = 256
	// maxBatches is how many batches wait for a step; with the messages that wait to be one they bound the memory, to some megabytes.
	maxBatches = 4
)

// pipeline takes messages in the order of the stream, prepares them on all processors, and applies the changes of each tenant in that
// order.
//
//	push → messages → batches ─┬→ prepare (workers, any batch) ─┐
//	                           └→ apply (lanes, in order) ◀─────┘ when prepared
//
// A lane applies the changes of some tenants: those of one tenant stay in order, and of many tenants are applied in parallel.
type pipeline struct {
	p        *Projection
	ctx      context.Context
	start    uint64 // the stream's last sequence when the reading began
	messages chan eventlog.Message
	work     chan *batch
	lanes    []chan *batch
	seed     maphash.Seed
}

type batch struct {
	messages []eventlog.Message
	changes  []change
	prepared chan struct{}
	left     atomic.Int32 // lanes that have not applied their part
}

// newPipeline starts the steps as tasks that end when ctx is done.
func (p *Projection) newPipeline(ctx context.Context, tasks *errgroup.Group, start uint64) *pipeline {
	processors := runtime.GOMAXPROCS(0)
	l := &pipeline{
		p: p, ctx: ctx, start: start, seed: maphash.MakeSeed(),
		messages: make(chan eventlog.Message, maxBatch), work: make(chan *batch, maxBatches), lanes: make([]chan *batch, processors),
	}
	tasks.Go(l.gather)
	for i := range l.lanes {
		l.lanes[i] = make(chan *batch, maxBatches)
		tasks.Go(func() error { return l.apply(i) })
		tasks.Go(l.prepare)
	}
	return l
}

// push waits while the steps are busy; the broker then waits, too.
func (l *pipeline) push(m eventlog.Message) { send(l.ctx, l.messages, m) }

// gather makes batches of what has arrived; a message never waits for others.
func (l *pipeline) gather() error {
	for {
		m, ok := receive(l.ctx, l.messages)
		if !ok {
			return nil
		}
		b := &batch{messages: append(make([]eventlog.Message, 0, 1+len(l.messages)), m), prepared: make(chan struct{})}
		for len(b.messages) < maxBatch && len(l.messages) > 0 {
			b.messages = append(b.messages, <-l.messages)
		}
		b.left.Store(int32(len(l.lanes)))
		send(l.ctx, l.work, b)
		for _, lane := range l.lanes {
			send(l.ctx, lane, b)
		}
	}
}

func (l *pipeline) prepare() error {
	for {
		b, ok := receive(l.ctx, l.work)
		if !ok {
			return nil
		}
		b.changes = make([]change, len(b.messages))
		for i, m := range b.messages {
			b.changes[i] = l.p.prepare(m)
			b.changes[i].lane = int(maphash.String(l.seed, b.changes[i].event.Tenant) % uint64(len(l.lanes)))
		}
		close(b.prepared)
	}
}

func (l *pipeline) apply(lane int) error {
	for {
		b, ok := receive(l.ctx, l.lanes[lane])
		if !ok {
			return nil
		}
		if receive(l.ctx, b.prepared); l.ctx.Err() != nil {
			return nil
		}
		for i := range b.changes {
			if c := &b.changes[i]; c.lane == lane {
				l.p.apply(l.ctx, c)
			}
		}
		// Every lane takes the batches in order, so that they are finished in order.
		if b.left.Add(-1) == 0 {
			l.finish(b)
		}
	}
}

// finish takes note that everything up to the batch's end is applied. When the broker had nothing more to send, that includes all that
// was in the stream at the start.
func (l *pipeline) finish(b *batch) {
	l.p.read.Add(uint64(len(b.messages)))
	last := b.messages[len(b.messages)-1]
	if last.Waiting > 0 {
		l.p.applied.Store(last.Seq)
		return
	}
	l.p.applied.Store(max(last.Seq, l.start))
	l.p.caughtUp.Store(true)
}

func send[T any](ctx context.Context, to chan<- T, v T) {
	select {
	case to <- v:
	case <-ctx.Done():
	}
}

func receive[T any](ctx context.Context, from <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-from:
		return v, ok
	case <-ctx.Done():
		return v, false
	}
}
