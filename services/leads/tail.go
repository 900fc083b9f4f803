package leads

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/eventlog"
)

// Tail hands every event of a tenant's leads, or of all tenants' for "", to each, in the order of the log: first those that there
// are, then new ones as they come. A message that is not an event is passed over; log hears of it, with its sequence. Tail returns
// nil when ctx is done, and otherwise the first error of each or of reading.
func Tail(ctx context.Context, js jetstream.JetStream, tenantID string, log *slog.Logger, each func(Record) error) error {
	if tenantID != "" && !tenant.ValidID(tenantID) {
		return fmt.Errorf("%q is not a tenant id", tenantID)
	}
	stream, err := eventlog.Existing(ctx, js)
	if err != nil {
		return err
	}
	return stream.Follow(ctx, tenantID, log, func(e eventlog.Entry) error { return each(newRecord(e)) })
}
