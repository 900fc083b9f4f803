package main

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// concurrent is how many callers wait for an answer at any time.
const concurrent = 64

// load is what a number of calls took.
type load struct {
	rate     float64 // calls per second
	took     time.Duration
	p50, p99 time.Duration
}

// runLoad makes calls 0 to n-1, as many at a time as there are workers. worker w makes them one after the other.
func runLoad(ctx context.Context, n int, call func(ctx context.Context, w, i int) error) (load, error) {
	latencies := make([]time.Duration, n)
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	start := time.Now()
	for w := range concurrent {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				began := time.Now()
				if err := call(ctx, w, i); err != nil {
					return err
				}
				latencies[i] = time.Since(began)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return load{}, err
	}
	took := time.Since(start)
	slices.Sort(latencies)
	return load{float64(n) / took.Seconds(), took, latencies[n/2], latencies[n*99/100]}, nil
}
