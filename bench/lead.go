package main

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/deployment"
	"forecourt.internal/bench/internal/world"
)

// leadStock is how many vehicles the dealership has.
const leadStock = 500

// leadBench submits leads through the whole path and does the parts that no lead can do without on the same servers.
type leadBench struct {
	deployment *deployment.Deployment
	vehicles   []string // ids
	callers    []*caller
	publisher  *publisher
	committer  *committer
	calls      int // per round and side
	done       int // calls of each side so far, each with a number of its own
}

// measureLead measures leads through edge, leads, idempotency and log, beside bare publishes of the same bytes and bare commits of
// one row, in turns.
func measureLead(ctx context.Context, opts options, progress logf) (subjects []Subject, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	progress("lead: starting")
	b := &leadBench{calls: opts.leads}
	b.deployment, err = deployment.Start(ctx, b.seed)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.deployment.Stop()) }()
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	defer b.close()
	var rounds []leadRound
	for round := range opts.rounds {
		progress("lead: round %d of %d", round+1, opts.rounds)
		r, err := b.round(ctx)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, r)
	}
	return leadSubjects(rounds, b.calls), nil
}

// seed puts vehicles on sale and remembers them.
func (b *leadBench) seed(ctx context.Context, js jetstream.JetStream) error {
	if err := world.Fill(ctx, js, world.Tenant(leadTenant), leadStock, 1); err != nil {
		return err
	}
	texts, err := world.Vehicles(ctx, js, leadTenant)
	if err != nil {
		return err
	}
	b.vehicles, err = vehicleIDs(texts)
	return err
}

// prepare opens what stays open, and warms up.
func (b *leadBench) prepare(ctx context.Context) (err error) {
	for range concurrent {
		c, err := dialEdge(b.deployment.Edge)
		if err != nil {
			return err
		}
		b.callers = append(b.callers, c)
	}
	if err := b.callers[0].submit(b.request(0)); err != nil {
		return err
	}
	b.done++
	if b.publisher, err = newPublisher(ctx, b.deployment.JetStream); err != nil {
		return err
	}
	if b.committer, err = newCommitter(ctx, b.deployment); err != nil {
		return err
	}
	_, err = b.round(ctx)
	return err
}

func (b *leadBench) close() {
	for _, c := range b.callers {
		c.conn.Close()
	}
	b.committer.pool.Close()
}

// leadRound is one round of every side.
type leadRound struct{ leads, publishes, commits side }

// side is a load with the processor time that it took, in all and by part.
type side struct {
	load
	processors map[string]time.Duration
}

func (b *leadBench) round(ctx context.Context) (r leadRound, err error) {
	requests := make([][]byte, b.calls)
	for i := range requests {
		requests[i] = b.request(b.done + i)
	}
	for _, s := range []struct {
		result *side
		call   func(ctx context.Context, w, i int) error
	}{
		{&r.leads, func(_ context.Context, w, i int) error { return b.callers[w].submit(requests[i]) }},
		{&r.publishes, func(ctx context.Context, _, i int) error { return b.publisher.publish(ctx, b.done+i) }},
		{&r.commits, func(ctx context.Context, _, i int) error { return b.committer.commit(ctx, b.done+i) }},
	} {
		if *s.result, err = b.observe(ctx, s.call); err != nil {
			return r, err
		}
	}
	b.done += b.calls
	return r, nil
}

func (b *leadBench) request(n int) []byte {
	return leadRequest(b.deployment.Edge, n, b.vehicles[n%len(b.vehicles)])
}

// observe runs one side.
func (b *leadBench) observe(ctx context.Context, call func(ctx context.Context, w, i int) error) (s side, err error) {
	runtime.GC() // no side pays for another's garbage
	before, err := b.deployment.ProcessorTime(ctx)
	if err != nil {
		return s, err
	}
	if s.load, err = runLoad(ctx, b.calls, call); err != nil {
		return s, err
	}
	s.processors, err = b.deployment.ProcessorTime(ctx)
	for part := range s.processors {
		s.processors[part] -= before[part]
	}
	return s, err
}
