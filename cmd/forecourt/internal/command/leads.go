package command

import "github.com/spf13/cobra"

func newLeads() *cobra.Command {
	cmd := group("leads", "Read dealerships' leads", newLeadsTail(), newLeadsGet())
	natsFlag(cmd)
	jsonFlag(cmd)
	return cmd
}
