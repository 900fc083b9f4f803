package compose

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt.internal/platform/admin"
)

// readyEvery is how often the start asks whether every part can do its work.
const readyEvery = 10 * time.Millisecond

// serve answers until ctx is done or a part fails, and then drains in the order in which calls flow. The admin endpoint
// answers from the first moment to the last; the edge takes calls only once every service is ready, so that no agent sees
// half a stock.
func (s *services) serve(ctx context.Context, mcp, adminListener net.Listener, ready func()) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	var parts errgroup.Group
	part := func(name string, run func() error) {
		parts.Go(func() error {
			err := run()
			if err == nil || s.life.Err() != nil {
				return nil
			}
			stop()
			return fmt.Errorf("%s: %w", name, err)
		})
	}
	checks := s.checks(serving)
	part("admin", func() error { return admin.Serve(s.life, adminListener, admin.Handler(checks)) })
	part("event log", func() error {
		select {
		case err := <-s.broker.failed:
			return err
		case <-s.life.Done():
			return nil
		}
	})
	part("inventory", func() error { return s.inventory.Run(s.life) })
	part("leads", func() error { return s.leads.Run(s.life) })

	var err error
	if caughtUp(serving, checks) {
		ready()
		if err = s.edge.Serve(serving, mcp); err != nil {
			err = fmt.Errorf("edge: %w", err)
		}
	}
	s.stop()
	s.end()
	return errors.Join(parts.Wait(), err)
}

// checks are the readiness checks by part. The edge is ready while it takes calls.
func (s *services) checks(serving context.Context) *admin.Checks {
	checks := new(admin.Checks)
	checks.Add("idempotency", s.idempotency.Ready)
	checks.Add("inventory", s.inventory.Ready)
	checks.Add("leads", s.leads.Ready)
	checks.Add("tenants", s.tenants.Ready)
	if s.broker.ready != nil {
		checks.Add("nats", s.broker.ready)
	}
	checks.Add("edge", func(context.Context) error {
		if serving.Err() != nil {
			return errors.New("draining")
		}
		return nil
	})
	return checks
}

// caughtUp waits until every part can do its work: the projections hold what the log holds. It returns false when ctx is done before.
func caughtUp(ctx context.Context, checks *admin.Checks) bool {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for !passed(checks.Run(ctx)) {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func passed(results map[string]error) bool {
	for _, err := range results {
		if err != nil {
			return false
		}
	}
	return true
}
