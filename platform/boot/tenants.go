package boot

import (
	"context"

	"forecourt.internal/platform/tenants"
)

// Begin is how every service begins that works on NATS: it opens the admin endpoint, connects, and follows the tenants.
func (p *Process) Begin(ctx context.Context, admin Address, url NATSURL, replicas Replicas) (*Broker, *tenants.Directory, error) {
	if err := p.Admin(admin); err != nil {
		return nil, nil, err
	}
	broker, err := p.NATS(url, replicas)
	if err != nil {
		return nil, nil, err
	}
	directory, err := p.Tenants(ctx, broker)
	return broker, directory, err
}

// Tenants follows the tenant documents for the life of the process and makes that a part of its readiness.
func (p *Process) Tenants(ctx context.Context, broker *Broker) (*tenants.Directory, error) {
	store, err := tenants.Open(ctx, broker.JetStream)
	if err != nil {
		return nil, err
	}
	directory, err := store.Watch(p.life, p.Log)
	if err != nil {
		return nil, err
	}
	p.Check("tenants", directory.Ready)
	return directory, nil
}
