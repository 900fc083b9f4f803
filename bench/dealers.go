package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/world"
)

// perTenant is the stock of each of many tenants, in vehicles.
const perTenant = 1_000

// dealers are many tenants of a usual size on one broker.
type dealers struct {
	broker *world.Broker
	js     jetstream.JetStream
	ids    []string // of the tenants
}

// withDealers puts the vehicles on sale, perTenant at each tenant, and lets f measure.
func withDealers(ctx context.Context, vehicles int, progress logf, f func(context.Context, *dealers) error) (err error) {
	broker, err := world.StartBroker()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, broker.Stop()) }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	js, err := broker.Connect(ctx)
	if err != nil {
		return err
	}
	m := &dealers{broker: broker, js: js}
	for done := 0; done < vehicles; done += perTenant {
		if done%(100*perTenant) == 0 {
			progress("importing: %d of %d vehicles", done, vehicles)
		}
		doc := world.Tenant(fmt.Sprintf("tenant-%d", len(m.ids)))
		if err := world.Fill(ctx, js, doc, min(perTenant, vehicles-done), uint64(len(m.ids))); err != nil {
			return err
		}
		m.ids = append(m.ids, doc.ID)
	}
	return f(ctx, m)
}
