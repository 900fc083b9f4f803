package boot

import (
	"context"

	"forecourt.internal/platform/tenants"
)

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
