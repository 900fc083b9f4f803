// Command mcp-edge is the edge alone. Its settings are environment variables, listed in docs/operations.md.
package main

import (
	"context"
	"time"
	_ "time/tzdata" // rooftops' time zones, also on machines that have none

	"forecourt.internal/platform/boot"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	mcpedge "forecourt.internal/services/mcp-edge"
)

type settings struct {
	NATS      boot.NATSURL   `env:"FORECOURT_NATS_URL,required" example:"nats://127.0.0.1:4222"`
	Replicas  boot.Replicas  `env:"FORECOURT_REPLICAS" envDefault:"1" example:"3"`
	Inventory boot.Address   `env:"FORECOURT_INVENTORY_ADDR,required" example:"127.0.0.1:9101"`
	Leads     boot.Address   `env:"FORECOURT_LEADS_ADDR,required" example:"127.0.0.1:9102"`
	Retention boot.Retention `env:"FORECOURT_RETENTION" envDefault:"72h" example:"72h"`
	Listen    boot.Address   `env:"FORECOURT_LISTEN" envDefault:"127.0.0.1:8080" example:"127.0.0.1:8080"`
	Admin     boot.Address   `env:"FORECOURT_ADMIN" envDefault:"127.0.0.1:9464" example:"127.0.0.1:9464"`
}

func main() { boot.Main("mcp-edge", run) }

func run(ctx context.Context, p *boot.Process, s settings) error {
	_, directory, err := p.Begin(ctx, s.Admin, s.NATS, s.Replicas)
	if err != nil {
		return err
	}
	inventory, err := p.Dial(s.Inventory)
	if err != nil {
		return err
	}
	leads, err := p.Dial(s.Leads)
	if err != nil {
		return err
	}
	edge, err := mcpedge.New(mcpedge.Config{
		Tenants: directory, Logger: p.Log, Retention: time.Duration(s.Retention),
		Inventory: inventoryv1.NewInventoryServiceClient(inventory), Leads: leadsv1.NewLeadsServiceClient(leads),
	})
	if err != nil {
		return err
	}
	return p.Serve("mcp http://", s.Listen, edge.Serve)
}
