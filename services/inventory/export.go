package inventory

import (
	"context"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/eventlog"
	"forecourt.internal/services/inventory/internal/export"
)

// Export writes the current listings of a tenant, as the search serves them, and returns how many there are: a JSON array, one listing
// per line, in the order of vehicle ids. It is a feed: importing it changes nothing, and confirms nothing that was not known. A tenant
// without stock has an empty array. An error leaves an incomplete array.
func Export(ctx context.Context, js jetstream.JetStream, tenantID string, w io.Writer) (int, error) {
	check, err := contract.NewValidator()
	if err != nil {
		return 0, fmt.Errorf("export stock of tenant %s: %w", tenantID, err)
	}
	events, err := eventlog.Open(ctx, js)
	if err != nil {
		return 0, fmt.Errorf("export stock of tenant %s: %w", tenantID, err)
	}
	exporter := export.Exporter{Events: events, Check: check, Tenant: tenantID}
	n, err := exporter.Write(ctx, w)
	if err != nil {
		return n, fmt.Errorf("export stock of tenant %s: %w", tenantID, err)
	}
	return n, nil
}
