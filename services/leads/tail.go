package leads

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/eventlog"
)

// TailConfig says which events to follow.
type TailConfig struct {
	// Tenant is the dealership whose leads to follow; "" means all.
	Tenant string
}

// Tail hands every event of the leads to each, in the order of the log: first those that there are, then new ones as they
// come. It returns nil when ctx is done, and otherwise the first error of each or of the log.
func Tail(ctx context.Context, js jetstream.JetStream, cfg TailConfig, each func(Record) error) error {
	if cfg.Tenant != "" && !tenant.ValidID(cfg.Tenant) {
		return fmt.Errorf("%q is not a tenant id", cfg.Tenant)
	}
	log, err := eventlog.Existing(ctx, js)
	if err != nil {
		return err
	}
	return log.Follow(ctx, cfg.Tenant, func(e eventlog.Entry) error { return each(newRecord(e)) })
}
