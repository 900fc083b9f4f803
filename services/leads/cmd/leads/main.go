// Command leads is the leads service alone. Its settings are environment variables, listed in docs/operations.md.
package main

import (
	"context"
	"time"
	_ "time/tzdata" // rooftops' time zones, also on machines that have none

	"forecourt.internal/platform/boot"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/leads"
)

type settings struct {
	NATS        boot.NATSURL     `env:"FORECOURT_NATS_URL,required" example:"nats://127.0.0.1:4222"`
	Replicas    boot.Replicas    `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Monitors    boot.MonitorURLs `env:"FORECOURT_NATS_MONITOR_URLS" example:"http://127.0.0.1:8222"`
	Inventory   boot.Address     `env:"FORECOURT_INVENTORY_ADDR,required" example:"127.0.0.1:9101"`
	Idempotency boot.Address     `env:"FORECOURT_IDEMPOTENCY_ADDR,required" example:"127.0.0.1:9103"`
	Retention   boot.Retention   `env:"FORECOURT_RETENTION" envDefault:"72h" example:"72h"`
	Listen      boot.Address     `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:9102" example:"127.0.0.1:9102"`
	Admin       boot.Address     `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:9466" example:"127.0.0.1:9466"`
}

func main() { boot.Main("leads", run) }

func run(ctx context.Context, p *boot.Process, s settings) error {
	broker, directory, err := p.Begin(ctx, s.Admin, s.NATS, s.Replicas)
	if err != nil {
		return err
	}
	if err := broker.CheckSynced(ctx, s.Monitors, s.Replicas, p.Log); err != nil {
		return err
	}
	inventory, err := p.Dial(s.Inventory)
	if err != nil {
		return err
	}
	idempotency, err := p.Dial(s.Idempotency)
	if err != nil {
		return err
	}
	service, err := leads.New(ctx, leads.Config{
		JetStream: broker.JetStream, Tenants: directory, Logger: p.Log, Retention: time.Duration(s.Retention),
		Replicas:    int(s.Replicas),
		Inventory:   inventoryv1.NewInventoryServiceClient(inventory),
		Idempotency: idempotencyv1.NewIdempotencyServiceClient(idempotency),
	})
	if err != nil {
		return err
	}
	p.Go("leads", service.Run)
	p.Check("leads", service.Ready)
	return p.ServeGRPC(s.Listen, service.Register)
}
