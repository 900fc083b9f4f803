// Command idempotency is the idempotency service alone. Its settings are environment variables, listed in docs/operations.md.
package main

import (
	"context"
	"time"

	"forecourt.internal/platform/boot"
	"forecourt.internal/services/idempotency"
)

type settings struct {
	NATS      boot.NATSURL   `env:"FORECOURT_NATS_URL,required" example:"nats://127.0.0.1:4222"`
	Replicas  boot.Replicas  `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Retention boot.Retention `env:"FORECOURT_RETENTION" envDefault:"72h" example:"72h"`
	Lease     boot.Lease     `env:"FORECOURT_LEASE" envDefault:"10s" example:"10s"`
	Listen    boot.Address   `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:9103" example:"127.0.0.1:9103"`
	Admin     boot.Address   `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:9467" example:"127.0.0.1:9467"`
}

func main() { boot.Main("idempotency", run) }

func run(ctx context.Context, p *boot.Process, s settings) error {
	if err := p.Admin(s.Admin); err != nil {
		return err
	}
	broker, err := p.NATS(s.NATS, s.Replicas)
	if err != nil {
		return err
	}
	service, err := idempotency.New(ctx, idempotency.Config{
		JetStream: broker.JetStream, Retention: time.Duration(s.Retention), Lease: time.Duration(s.Lease), Logger: p.Log,
	})
	if err != nil {
		return err
	}
	p.Check("store", service.Ready)
	return p.ServeGRPC(s.Listen, service.Register)
}
