package chaos

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"
)

var (
	seed     = flag.Uint64("seed", 1, "gives the faults and what agents send")
	duration = flag.Duration("duration", 25*time.Second, "how long there are faults")
	nodes    = flag.Int("nodes", 1, "NATS servers: 1 or 3")
)

const (
	// startWithin bounds the start.
	startWithin = 2 * time.Minute
	// settleWithin bounds how long agents may take to their last answers when everything is ready again.
	settleWithin = time.Minute
	// readWithin bounds how long the log is read.
	readWithin = time.Minute
	// replays is how many leads are submitted once more at the end.
	replays = 500
)

func TestLead_ExactlyOnce_WhateverBreaks(t *testing.T) {
	dir, err := os.MkdirTemp("", "chaos-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d; logs and data are in %s", *seed, dir)
		} else {
			os.RemoveAll(dir)
		}
	})
	c := start(t, dir)
	run, faults := breakWhileSubmitting(t, c)
	if n, err := c.postgres.Customers(t.Context()); n > 0 || err != nil {
		t.Errorf("%d rows of keys hold a customer's value: %v", n, err)
	}
	for _, how := range c.Stop() {
		t.Error(how)
	}
	for _, p := range c.processes {
		for _, how := range p.Unasked() {
			t.Errorf("%s ended by itself: %s", p.Name, how)
		}
	}
	lines, err := ScanLogs(dir)
	if err != nil {
		t.Error(err)
	}
	for _, line := range lines {
		t.Error(line)
	}
	judge(t, run)
	t.Logf("seed %d, %s of faults, %d NATS servers\n%s", *seed, *duration, *nodes, Report(run, faults))
}

func start(t *testing.T, dir string) *Cluster {
	t.Helper()
	programs, err := Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	postgres := StartPostgres(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), startWithin)
	defer cancel()
	c, err := NewCluster(ctx, dir, programs, *nodes, postgres)
	t.Cleanup(c.Close)
	if err == nil {
		err = c.Seed(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// breakWhileSubmitting runs agents and faults at the same time, heals everything, lets the agents get their answers, and returns
// what there is then.
func breakWhileSubmitting(t *testing.T, c *Cluster) (Run, []Broken) {
	t.Helper()
	plan := Plan(*seed, *duration, Lease, c.Targets())
	t.Logf("seed %d, %d faults:\n%s", *seed, len(plan), schedule(plan))
	began := time.Now()
	driver := NewDriver(c.edges, *seed, began)

	ctx, cancel := context.WithTimeout(t.Context(), *duration+recoverWithin+settleWithin)
	defer cancel()
	stop, stopAgents := context.WithTimeout(ctx, *duration)
	defer stopAgents()
	agentsDone := make(chan struct{})
	go func() {
		defer close(agentsDone)
		driver.Run(ctx, stop)
	}()
	faults, failures := Inject(ctx, c, plan, began)
	for _, err := range failures {
		t.Errorf("the harness: %v", err)
	}
	t.Logf("faults ended after %s", time.Since(began).Round(time.Millisecond))
	recovering, cancelRecovering := context.WithTimeout(t.Context(), recoverWithin)
	defer cancelRecovering()
	if err := c.Ready(recovering); err != nil {
		t.Error(err)
	}
	t.Logf("ready after %s", time.Since(began).Round(time.Millisecond))
	<-agentsDone
	driver.Replay(ctx, replays)
	t.Logf("answered after %s", time.Since(began).Round(time.Millisecond))

	reading, cancelReading := context.WithTimeout(t.Context(), readWithin)
	defer cancelReading()
	log, err := ReadLog(reading, c.js, began)
	if err != nil {
		t.Fatal(err)
	}
	return Run{Attempts: driver.history.ByKey(), Payloads: driver.history.Payloads(), Log: log, Down: down(faults), Seats: seats()}, faults
}

// down is when processes were away.
func down(faults []Broken) map[string][]Span {
	spans := map[string][]Span{}
	for _, f := range faults {
		if f.ofProcess() {
			spans[f.Victim] = append(spans[f.Victim], Span{f.From, f.Till})
		}
	}
	return spans
}

// judge prints the violations, each with the history of its key.
func judge(t *testing.T, run Run) {
	t.Helper()
	const shown = 20
	violations := Check(run)
	for i, v := range violations {
		if i == shown {
			t.Errorf("and %d more violations", len(violations)-shown)
			break
		}
		t.Errorf("%s (key %s)\n%s", v, v.Key, Story(run.Attempts[v.Key]))
	}
}
