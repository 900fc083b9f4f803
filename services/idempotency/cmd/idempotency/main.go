// Command idempotency is the idempotency service alone. Its settings are environment variables, listed in docs/operations.md.
package main

import (
	"context"
	"time"

	"forecourt.internal/platform/boot"
	"forecourt.internal/services/idempotency"
)

// settings name the store: Postgres, or else a bucket of NATS.
type settings struct {
	Postgres  boot.PostgresDSN `env:"FORECOURT_POSTGRES_DSN" example:"postgres://forecourt@127.0.0.1:5432/forecourt"`
	NATS      boot.NATSURL     `env:"FORECOURT_NATS_URL" example:"nats://127.0.0.1:4222"`
	Replicas  boot.Replicas    `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Retention boot.Retention   `env:"FORECOURT_RETENTION" envDefault:"72h" example:"72h"`
	Lease     boot.Lease       `env:"FORECOURT_LEASE" envDefault:"10s" example:"10s"`
	Listen    boot.Address     `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:9103" example:"127.0.0.1:9103"`
	Admin     boot.Address     `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:9467" example:"127.0.0.1:9467"`
}

// Problems says that there is no store.
func (s settings) Problems() []string {
	if s.Postgres != "" || s.NATS != "" {
		return nil
	}
	return []string{"FORECOURT_POSTGRES_DSN and FORECOURT_NATS_URL name no store; set one of them, for example the first to " +
		"postgres://forecourt@127.0.0.1:5432/forecourt"}
}

func main() { boot.Main("idempotency", run) }

func run(ctx context.Context, p *boot.Process, s settings) error {
	if err := p.Admin(s.Admin); err != nil {
		return err
	}
	cfg := idempotency.Config{
		PostgresDSN: string(s.Postgres), Retention: time.Duration(s.Retention), Lease: time.Duration(s.Lease), Logger: p.Log,
	}
	if s.Postgres == "" {
		broker, err := p.NATS(s.NATS, s.Replicas)
		if err != nil {
			return err
		}
		cfg.JetStream = broker.JetStream
	}
	service, err := idempotency.New(ctx, cfg)
	if err != nil {
		return err
	}
	p.Defer(service.Close)
	p.Check("store", service.Ready)
	return p.ServeGRPC(s.Listen, service.Register)
}
