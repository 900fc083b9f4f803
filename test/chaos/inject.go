package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"
)

// Injector breaks a cluster by a plan.
type Injector struct {
	cluster *Cluster
	began   time.Time

	mu       sync.Mutex
	busy     map[string]bool // what is killed or paused
	failures []error
	done     []Broken
}

// Broken is a fault as it was, which is a little later than planned.
type Broken struct {
	Fault
	// Victim is what the target was: the leader's name for natsLeader.
	Victim string
	// From is when it began; Till is when it had ended and, after a fault of a process, the process was ready again.
	From, Till time.Duration
	// Skipped says why there was no fault after all.
	Skipped string
}

// recoverWithin is how long a process may take to be ready after a fault.
const recoverWithin = time.Minute

// Inject runs the plan and returns when every fault has ended and its process is ready, or is not after a minute. Times count from began.
func Inject(ctx context.Context, c *Cluster, plan []Fault, began time.Time) ([]Broken, []error) {
	in := &Injector{cluster: c, began: began, busy: map[string]bool{}}
	var all sync.WaitGroup
	for _, f := range plan {
		if !sleep(ctx, time.Until(began.Add(f.At))) {
			break
		}
		all.Go(func() { in.one(ctx, f) })
	}
	all.Wait()
	return in.done, in.failures
}

// sleep returns false when ctx is done before.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func (in *Injector) one(ctx context.Context, f Fault) {
	b := Broken{Fault: f, Victim: f.Target, From: time.Since(in.began)}
	release, err := in.hold(ctx, &b)
	if err != nil {
		b.Skipped, b.Till = err.Error(), b.From
		in.record(b, nil)
		return
	}
	err = in.begin(ctx, b)
	sleep(ctx, time.Until(in.began.Add(f.At+f.For)))
	err = errors.Join(err, in.end(b))
	release()
	if b.ofProcess() {
		recovering, cancel := context.WithTimeout(ctx, recoverWithin)
		await(recovering, in.cluster.Process(b.Victim)) // that all are ready is looked at when every fault has ended
		cancel()
	}
	b.Till = time.Since(in.began)
	in.record(b, err)
}

func (b Broken) ofProcess() bool { return (b.Kind == Kill || b.Kind == Pause) && b.Victim != postgres }

func (in *Injector) record(b Broken, err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.done = append(in.done, b)
	if err != nil {
		in.failures = append(in.failures, fmt.Errorf("%s %s: %w", b.Kind, b.Victim, err))
	}
}

// hold makes the fault the only one of its victim, which it finds out first.
func (in *Injector) hold(ctx context.Context, b *Broken) (release func(), err error) {
	if b.Target == natsLeader {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		if b.Victim, err = leader(ctx, in.cluster.js); err != nil {
			return nil, err
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.busy[b.Victim] {
		return nil, fmt.Errorf("%s has another fault", b.Victim)
	}
	in.busy[b.Victim] = true
	return func() {
		in.mu.Lock()
		defer in.mu.Unlock()
		delete(in.busy, b.Victim)
	}, nil
}

func (in *Injector) begin(ctx context.Context, b Broken) error {
	switch {
	case b.Kind == Forget:
		return in.cluster.postgres.Forget(ctx)
	case b.Kind == Kill && b.Victim == postgres:
		return in.cluster.postgres.Kill()
	case b.Kind == Kill:
		in.cluster.Process(b.Victim).Kill()
	case b.Kind == Pause:
		in.cluster.Process(b.Victim).Signal(syscall.SIGSTOP)
	default:
		return in.cluster.Link(b.Victim).Break(b.Kind, b.Amount)
	}
	return nil
}

func (in *Injector) end(b Broken) error {
	switch {
	case b.Kind == Forget:
	case b.Kind == Kill && b.Victim == postgres:
		return in.cluster.postgres.Restart()
	case b.Kind == Kill:
		return in.cluster.Process(b.Victim).Start()
	case b.Kind == Pause:
		in.cluster.Process(b.Victim).Signal(syscall.SIGCONT)
	default:
		return in.cluster.Link(b.Victim).Heal(b.Kind)
	}
	return nil
}
