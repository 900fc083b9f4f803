// Command inventory is the inventory service alone. Its settings are environment variables, listed in docs/operations.md.
package main

import (
	"context"
	_ "time/tzdata" // rooftops' time zones, also on machines that have none

	"forecourt.internal/platform/boot"
	"forecourt.internal/services/inventory"
)

type settings struct {
	NATS     boot.NATSURL  `env:"FORECOURT_NATS_URL,required" example:"nats://127.0.0.1:4222"`
	Replicas boot.Replicas `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Listen   boot.Address  `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:9101" example:"127.0.0.1:9101"`
	Admin    boot.Address  `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:9465" example:"127.0.0.1:9465"`
}

func main() { boot.Main("inventory", run) }

func run(ctx context.Context, p *boot.Process, s settings) error {
	broker, directory, err := p.Begin(ctx, s.Admin, s.NATS, s.Replicas)
	if err != nil {
		return err
	}
	service, err := inventory.New(ctx, inventory.Config{JetStream: broker.JetStream, Tenants: directory, Logger: p.Log})
	if err != nil {
		return err
	}
	p.Go("inventory", service.Run)
	p.Check("inventory", service.Ready)
	return p.ServeGRPC(s.Listen, service.Register)
}
