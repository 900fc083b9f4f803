package main

import (
	"context"
	"runtime"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/world"
)

// measureReplay measures how fast a starting service reads the last event of every vehicle, beside a consumer that does nothing with
// them. Broker and both readers are in this process.
func measureReplay(ctx context.Context, m *dealers, opts options, progress logf) (Subject, error) {
	subject := Subject{Name: "replay", Unit: "events/s", Peer: "broker alone", Ratio: "of the rate at which the broker delivers"}
	var ours, theirs []float64
	events := 0
	for round := range opts.rounds {
		progress("replay: round %d of %d", round+1, opts.rounds)
		runtime.GC()
		messages, took, err := world.Deliver(ctx, m.js)
		if err != nil {
			return subject, err
		}
		runtime.GC()
		caughtUp, err := startOnce(ctx, m.js)
		if err != nil {
			return subject, err
		}
		events = messages
		theirs = append(theirs, float64(messages)/took.Seconds())
		ours = append(ours, float64(messages)/caughtUp.Seconds())
	}
	same := func(rate float64) float64 { return rate }
	f := Figure{Case: "last event of every vehicle", Size: events, Ours: spreadOf(ours, same), Theirs: spreadOf(theirs, same)}
	f.Ratio = f.Ours.Median / f.Theirs.Median
	subject.Figures = []Figure{f}
	return subject, nil
}

// startOnce runs a service until it is ready, and returns how long that took.
func startOnce(ctx context.Context, js jetstream.JetStream) (time.Duration, error) {
	service, err := world.Serve(ctx, js)
	if err != nil {
		return 0, err
	}
	return service.CaughtUpIn, service.Stop()
}
