package command

import "github.com/spf13/cobra"

func newIdempotency() *cobra.Command {
	cmd := group("idempotency", "Look after the outcomes that are kept under idempotency keys", newIdempotencyRebuild())
	natsFlag(cmd)
	jsonFlag(cmd)
	return cmd
}
