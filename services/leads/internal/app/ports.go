package app

import (
	"context"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/domain"
)

// Tenants knows the dealerships.
type Tenants interface {
	Get(id string) (*tenant.Document, bool)
}

// Claims lets the attempts under one idempotency key go one at a time, and remembers what came of them.
type Claims interface {
	// Begin claims the command's key. It returns a *contract.Error when the key has the outcome of another payload, when another
	// attempt still holds it, and when nobody can tell.
	Begin(ctx context.Context, cmd domain.Command) (domain.Claim, error)
	// Complete records what the log holds as the outcome under the owner's claim.
	Complete(ctx context.Context, cmd domain.Command, owner string, r domain.Recorded) error
	// Release gives the owner's claim up: nothing was recorded under it.
	Release(ctx context.Context, cmd domain.Command, owner string) error
}

// Stock knows which vehicles are for sale.
type Stock interface {
	// Vehicle never fails to answer: a vehicle that cannot be looked up is domain.Unchecked, and err says why.
	Vehicle(ctx context.Context, tenant string, ref domain.VehicleRef) (v domain.Vehicle, err error)
}

// Log holds the leads.
type Log interface {
	// Recorded looks for a tenant's lead; found is false when there is none.
	Recorded(ctx context.Context, tenant string, id domain.LeadID) (r domain.Recorded, found bool, err error)
	// AppendFirst records the lead unless one was recorded under the key before, and returns the one that is. An error says that
	// the lead may have been recorded or not.
	AppendFirst(ctx context.Context, key idemkey.Digest, lead domain.Lead) (domain.Recorded, error)
}
