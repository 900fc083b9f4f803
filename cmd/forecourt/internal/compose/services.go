package compose

import (
	"context"
	"time"

	"forecourt.internal/platform/tenants"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/idempotency"
	"forecourt.internal/services/inventory"
	"forecourt.internal/services/leads"
	mcpedge "forecourt.internal/services/mcp-edge"
)

// services is every service of the project, wired to each other as in a cluster, only through pipes instead of a network.
type services struct {
	idempotency *idempotency.Service
	inventory   *inventory.Service
	leads       *leads.Service
	edge        *mcpedge.Edge
	tenants     *tenants.Directory
	broker      *broker
	hosts       hosts
	// life is of what follows the log in the background; it outlasts the context of serve by the drain.
	life context.Context
	end  context.CancelFunc
}

// newServices builds the services on the broker and loads the tenants. The caller must serve them.
func newServices(ctx context.Context, broker *broker, cfg Config) (_ *services, err error) {
	js, log, retention := broker.js, cfg.Logger, time.Duration(cfg.Retention)
	s := &services{broker: broker}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			s.end()
			s.stop()
		}
	}()

	store, err := tenants.Open(ctx, js)
	if err != nil {
		return nil, err
	}
	if s.tenants, err = store.Watch(s.life, log); err != nil {
		return nil, err
	}

	s.idempotency, err = idempotency.New(ctx, idempotency.Config{
		JetStream: js, PostgresDSN: string(cfg.PostgresDSN), Retention: retention, Logger: log,
	})
	if err != nil {
		return nil, err
	}
	idempotencyConn, err := s.hosts.add(log, s.idempotency.Register)
	if err != nil {
		return nil, err
	}
	if s.inventory, err = inventory.New(ctx, inventory.Config{JetStream: js, Tenants: s.tenants, Logger: log}); err != nil {
		return nil, err
	}
	inventoryConn, err := s.hosts.add(log, s.inventory.Register)
	if err != nil {
		return nil, err
	}
	s.leads, err = leads.New(ctx, leads.Config{
		JetStream: js, Tenants: s.tenants, Retention: retention, Replicas: int(cfg.Replicas), Logger: log,
		Inventory:   inventoryv1.NewInventoryServiceClient(inventoryConn),
		Idempotency: idempotencyv1.NewIdempotencyServiceClient(idempotencyConn),
	})
	if err != nil {
		return nil, err
	}
	leadsConn, err := s.hosts.add(log, s.leads.Register)
	if err != nil {
		return nil, err
	}
	s.edge, err = mcpedge.New(mcpedge.Config{
		Tenants: s.tenants, Retention: retention, Logger: log,
		Inventory: inventoryv1.NewInventoryServiceClient(inventoryConn),
		Leads:     leadsv1.NewLeadsServiceClient(leadsConn),
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// stop lets the calls of every service end.
func (s *services) stop() {
	s.hosts.stop()
	if s.idempotency != nil {
		s.idempotency.Close()
	}
}
