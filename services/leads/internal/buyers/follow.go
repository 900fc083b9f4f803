package buyers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
)

// clockSkew is how far the broker's clock, by which events are found, may be behind the one that leads are received by.
const clockSkew = 5 * time.Minute

// Run reads the leads that count and then follows the log until ctx is done. It outlives the loss of the broker. It returns an error when
// it cannot start, when the connection to the broker was closed for good, and eventlog.ErrReplaced when the stream is another one.
func (x *Index) Run(ctx context.Context) error {
	x.since = x.oldest()
	x.keep(x.since)
	leads, err := x.events.Since(ctx, x.since.Add(-clockSkew))
	if err != nil {
		return fmt.Errorf("follow buyers: %w", err)
	}
	x.backlog.Store(leads.Backlog)
	x.caughtUp.Store(leads.Backlog == 0)
	x.started.Store(true)
	ctx, stop := context.WithCancelCause(ctx)
	var upkeep sync.WaitGroup
	upkeep.Go(func() { stop(x.upkeep(ctx, leads)) })
	err = leads.Follow(ctx, func(a eventlog.Arrival) { x.next(ctx, a) })
	stop(nil)
	upkeep.Wait()
	if cause := context.Cause(ctx); errors.Is(cause, eventlog.ErrReplaced) {
		err = cause
	}
	if err != nil {
		return fmt.Errorf("follow buyers: %w", err)
	}
	return nil
}

func (x *Index) next(ctx context.Context, a eventlog.Arrival) {
	x.take(ctx, a)
	x.last.Store(a.Sequence)
	if x.read.Add(1) >= x.backlog.Load() {
		x.caughtUp.Store(true)
	}
}

// Ready is nil once every lead is known that was in the log at the start.
func (x *Index) Ready(context.Context) error {
	switch {
	case !x.started.Load():
		return errors.New("buyers: the leads are not read yet")
	case !x.caughtUp.Load():
		return fmt.Errorf("buyers: %d of %d leads are read", x.read.Load(), x.backlog.Load())
	default:
		return nil
	}
}

// take adds the lead of a message, and passes over one that is none.
func (x *Index) take(ctx context.Context, a eventlog.Arrival) {
	s, err := a.Submission, a.Err
	var b domain.Buyer
	if err == nil {
		b, err = domain.BuyerOf(s.Request, s.VehicleID)
	}
	if err != nil {
		x.log.WarnContext(ctx, "a message among the leads was passed over", "sequence", a.Sequence, "error", err)
		return
	}
	x.Note(s.Tenant, s.Caller, b, s.LeadID, s.ReceivedAt)
}

// upkeep looks after the index now and then, until ctx is done. It returns eventlog.ErrReplaced when there is nothing to look after.
func (x *Index) upkeep(ctx context.Context, leads *eventlog.Submissions) error {
	tick := time.NewTicker(x.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := x.events.Same(ctx); errors.Is(err, eventlog.ErrReplaced) {
			return err
		}
		if !x.caughtUp.Load() {
			if over, err := leads.Over(ctx, x.last.Load()); err == nil && over {
				x.caughtUp.Store(true)
			}
		}
		if err := x.suit(ctx); err != nil && ctx.Err() == nil {
			x.log.WarnContext(ctx, "the leads of a longer window are not known yet", "error", err)
		}
	}
}

// suit makes the index suit the windows as they are now: it drops what none reaches, and reads again what a longer one reaches.
func (x *Index) suit(ctx context.Context) error {
	oldest := x.oldest()
	kept := x.keep(oldest)
	switch {
	case kept.After(x.since):
		x.since = kept
	case oldest.Before(x.since):
		if err := x.readAgain(ctx, oldest); err != nil {
			return err
		}
		x.since = oldest
	}
	return nil
}

// keep forgets the generations before the one that a time is in, and returns the begin of that one.
func (x *Index) keep(oldest time.Time) time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.first = number(oldest)
	for n := range x.generations {
		if n < x.first {
			delete(x.generations, n)
		}
	}
	return begin(x.first)
}

// readAgain adds the leads received since a time that are in the log now.
func (x *Index) readAgain(ctx context.Context, since time.Time) error {
	leads, err := x.events.Since(ctx, since.Add(-clockSkew))
	if err != nil || leads.Backlog == 0 {
		return err
	}
	reading, stop := context.WithCancel(ctx)
	defer stop()
	done := false
	err = leads.Follow(reading, func(a eventlog.Arrival) {
		x.take(ctx, a)
		if a.Waiting == 0 {
			done = true
			stop()
		}
	})
	if err == nil && !done {
		err = ctx.Err()
	}
	return err
}
