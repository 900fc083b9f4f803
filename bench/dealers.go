package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/bench/internal/world"
)

// perTenant is how many rows the feed of each of many tenants has.
const perTenant = 1_000

// dealers are many tenants of a usual size on one broker.
type dealers struct {
	broker *world.Broker
	js     jetstream.JetStream
	ids    []string // of the tenants
}

// withDealers imports the rows, perTenant for each tenant, and lets f measure.
func withDealers(ctx context.Context, rows int, progress logf, f func(context.Context, *dealers) error) (err error) {
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
	for done := 0; done < rows; done += perTenant {
		if done%(100*perTenant) == 0 {
			progress("importing: %d of %d rows", done, rows)
		}
		doc := world.Tenant(fmt.Sprintf("tenant-%d", len(m.ids)))
		if _, err := world.Fill(ctx, js, doc, min(perTenant, rows-done), uint64(len(m.ids))); err != nil {
			return err
		}
		m.ids = append(m.ids, doc.ID)
	}
	return f(ctx, m)
}
