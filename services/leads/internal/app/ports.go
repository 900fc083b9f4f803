package app

import (
	"context"
	"time"

	"forecourt.internal/platform/idemkey"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/calendar"
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

// Buyers knows the leads of the tenants' current windows by buyer.
type Buyers interface {
	// Lock lets leads of one buyer go one at a time in this process, so that each sees the one before. It returns the error of ctx when
	// that is done first.
	Lock(ctx context.Context, tenant string, b domain.Buyer) (unlock func(), err error)
	// First finds the earliest lead of the buyer about the same vehicle, one of the same caller before anyone else's.
	First(tenant, caller string, b domain.Buyer, now time.Time) (domain.Earlier, bool)
	// Note adds a lead that this process has recorded, before the log brings it.
	Note(tenant, caller string, b domain.Buyer, id domain.LeadID, received time.Time)
}

// Log holds the leads.
type Log interface {
	// Recorded looks for what is recorded under a tenant's key; found is false when there is nothing.
	Recorded(ctx context.Context, tenant string, key idemkey.Digest) (r domain.Recorded, found bool, err error)
	// AppendFirst records the lead, with its booking if there is one, unless one was recorded under the key before, and returns the one
	// that is. It returns domain.ErrDayChanged when the booking's day is not as it was, domain.ErrNotRecorded when nothing was sent, and
	// a *contract.Error when the log takes no event of this size. Any other error says that the lead may have been recorded or not.
	AppendFirst(ctx context.Context, key idemkey.Digest, lead domain.Lead, booking *domain.Booking) (domain.Recorded, error)
	// Day returns the ledger of a day and its sequence, 0 when nothing is booked.
	Day(ctx context.Context, subject string) (ledger calendar.Ledger, last uint64, err error)
}
