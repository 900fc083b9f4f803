package command

import "github.com/spf13/cobra"

func newInventory() *cobra.Command {
	cmd := group("inventory", "Feed dealerships' stock", newInventoryImport())
	natsFlag(cmd)
	jsonFlag(cmd)
	return cmd
}
