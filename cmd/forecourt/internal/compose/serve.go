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

// readyEvery is how often the start asks whether the projection has caught up.
const readyEvery = 10 * time.Millisecond

// serve answers until ctx is done or a part fails, and then drains in the order in which calls flow. The admin endpoint
// answers from the first moment to the last; the edge takes calls only once every service is ready, so that no agent sees
// half a stock.
func (s *services) serve(
	ctx context.Context, mcp, adminListener net.Listener, brokerFailed <-chan error, ready func(),
) error {
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
	part("admin", func() error { return admin.Serve(s.life, adminListener, admin.Handler(s.checks(serving))) })
	part("event log", func() error {
		select {
		case err := <-brokerFailed:
			return err
		case <-s.life.Done():
			return nil
		}
	})
	part("inventory", func() error { return s.inventory.Run(s.life) })

	var err error
	if s.caughtUp(serving) {
		ready()
		if err = s.edge.Serve(serving, mcp); err != nil {
			err = fmt.Errorf("edge: %w", err)
		}
	}
	s.hosts.stop()
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
	checks.Add("edge", func(context.Context) error {
		if serving.Err() != nil {
			return errors.New("draining")
		}
		return nil
	})
	return checks
}

// caughtUp waits until the projection holds what the log holds. It returns false when ctx is done before.
func (s *services) caughtUp(ctx context.Context) bool {
	tick := time.NewTicker(readyEvery)
	defer tick.Stop()
	for s.inventory.Ready(ctx) != nil {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false
		}
	}
	return true
}
