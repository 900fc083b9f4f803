package leads

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/domain"
	"forecourt.internal/services/leads/internal/eventlog"
)

// ErrNotFound says that the tenant has no lead of the id.
var ErrNotFound = errors.New("no such lead")

// Get returns the submitted event of a tenant's lead. It reads the tenant's leads from the time in the id on, so a recent lead is
// found fast and one that does not exist takes as long as all later leads. It returns ErrNotFound, wrapped, when there is none,
// and another error for an id that is not a lead's or a tenant id that is not one.
func Get(ctx context.Context, js jetstream.JetStream, tenantID, leadID string) (Record, error) {
	if !tenant.ValidID(tenantID) {
		return Record{}, fmt.Errorf("%q is not a tenant id", tenantID)
	}
	log, err := eventlog.Existing(ctx, js)
	if err != nil {
		return Record{}, err
	}
	e, found, err := log.Find(ctx, tenantID, domain.LeadID(leadID))
	if err != nil {
		return Record{}, err
	}
	if !found {
		return Record{}, fmt.Errorf("%w: %s of tenant %s", ErrNotFound, leadID, tenantID)
	}
	return newRecord(e), nil
}
