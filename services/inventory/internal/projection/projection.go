package projection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/index"
)

// checkEvery is how often the broker is asked for the end of the stream, and how long it may take to answer.
const checkEvery = time.Second

// Projection applies the stream to an index.
type Projection struct {
	events *eventlog.Log
	index  *index.Index
	check  *contract.Validator
	log    *slog.Logger

	now   func() time.Time
	every time.Duration

	started  atomic.Bool
	caughtUp atomic.Bool
	backlog  atomic.Uint64 // messages to read at the start
	read     atomic.Uint64 // messages that have been applied
	applied  atomic.Uint64 // the sequence of the stream up to which the index is right
	lag      lag
}

// New returns a projection of the events into x that does not run yet.
func New(events *eventlog.Log, x *index.Index, check *contract.Validator, log *slog.Logger) *Projection {
	return &Projection{events: events, index: x, check: check, log: log, now: time.Now, every: checkEvery}
}

// Run follows the events until ctx is done. It returns an error when it cannot start, when the connection to the broker was closed for
// good, and when the stream was replaced by another (eventlog.ErrReplaced): the index is of no use then.
func (p *Projection) Run(ctx context.Context) error {
	follower, err := p.events.Follow(ctx)
	if err != nil {
		return err
	}
	p.start(follower)
	tasks, ctx := errgroup.WithContext(ctx)
	line := p.newPipeline(ctx, tasks, follower.Start)
	tasks.Go(func() error { return follower.Run(ctx, line.push) })
	tasks.Go(func() error { return p.watch(ctx, follower) })
	return tasks.Wait()
}

func (p *Projection) start(f *eventlog.Follower) {
	p.lag.observe(p.now(), f.Start, 0)
	p.backlog.Store(f.Backlog)
	if f.Backlog == 0 {
		p.applied.Store(f.Start)
		p.caughtUp.Store(true)
	}
	p.started.Store(true)
}

// watch asks for the end of the stream again and again.
func (p *Projection) watch(ctx context.Context, f *eventlog.Follower) error {
	tick := time.NewTicker(p.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := p.measure(ctx, f); errors.Is(err, eventlog.ErrReplaced) {
			return err
		}
	}
}

func (p *Projection) measure(ctx context.Context, f *eventlog.Follower) error {
	ctx, stop := context.WithTimeout(ctx, checkEvery)
	defer stop()
	applied := p.applied.Load()
	last, err := f.Last(ctx, applied)
	if err != nil {
		return err // readiness tells that the broker has not answered
	}
	p.lag.observe(p.now(), last, applied)
	return nil
}

// Ready reports why the index may not be current, with numbers: the start is not over, the broker is away, or events wait.
func (p *Projection) Ready(context.Context) error {
	switch {
	case !p.events.Connected():
		return fmt.Errorf("the connection to the broker is lost; it last answered %s ago", p.lag.silence(p.now()))
	case !p.started.Load():
		return errors.New("catching up: the stream is not read yet")
	case !p.caughtUp.Load():
		return fmt.Errorf("catching up: %d of %d vehicles", p.read.Load(), p.backlog.Load())
	}
	return p.lag.problem(p.now(), p.applied.Load())
}
