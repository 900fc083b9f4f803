package admin

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Check reports why a part cannot do its work; nil when it can.
type Check func(context.Context) error

// checkWithin bounds one readiness answer, however its checks hang: Kubernetes waits for one second unless told otherwise.
const checkWithin = 900 * time.Millisecond

// Checks are the readiness checks of a process by part. The zero value has none; it is safe for concurrent use.
type Checks struct {
	mu     sync.Mutex
	probes map[string]*probe
}

// Add adds the check of a part, or replaces it.
func (c *Checks) Add(part string, check Check) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probes == nil {
		c.probes = make(map[string]*probe)
	}
	c.probes[part] = &probe{check: check, turn: make(chan struct{}, 1)}
}

// Run runs every check at the same time and returns what each said, within a second. One that does not answer in that time has
// failed.
func (c *Checks) Run(ctx context.Context) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock() // one Run at a time is enough
	var mu sync.Mutex
	var running sync.WaitGroup
	results := make(map[string]error, len(c.probes))
	for part, p := range c.probes {
		running.Go(func() {
			err := p.ask(ctx)
			mu.Lock()
			defer mu.Unlock()
			results[part] = err
		})
	}
	running.Wait()
	return results
}

// probe asks one check. One that has not answered yet is not asked again, so that what hangs does not pile up.
type probe struct {
	check Check
	turn  chan struct{}
}

func (p *probe) ask(ctx context.Context) error {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return errors.New("still no answer")
	}
	answer := make(chan error, 1)
	go func() {
		defer func() { <-p.turn }()
		answer <- p.check(ctx)
	}()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer within %s", checkWithin)
	}
}
