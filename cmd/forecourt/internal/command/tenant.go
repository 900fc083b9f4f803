package command

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenants"
)

func newTenant() *cobra.Command {
	cmd := group("tenant", "Add, change, read and delete dealerships", newTenantApply(), newTenantGet(), newTenantList(), newTenantDelete())
	natsFlag(cmd)
	jsonFlag(cmd)
	return cmd
}

// withTenants runs a command's work on the tenant documents of the running system.
func withTenants(cmd *cobra.Command, work func(context.Context, *tenants.Store) error) error {
	return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
		store, err := tenants.Existing(ctx, js)
		if err != nil {
			return err
		}
		return work(ctx, store)
	})
}
