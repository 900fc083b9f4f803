package command

import "github.com/spf13/cobra"

func newInventory() *cobra.Command {
	cmd := group("inventory", "Feed dealerships' stock, and read it back",
		newInventoryImport(), newInventoryWatch(), newInventoryExport(), newInventoryGenerate())
	natsFlag(cmd)
	jsonFlag(cmd)
	return cmd
}
