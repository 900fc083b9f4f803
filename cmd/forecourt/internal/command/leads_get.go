package command

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"forecourt.internal/services/leads"
)

func newLeadsGet() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use:   "get --tenant TENANT LEAD_ID",
		Short: "Print one lead whole, with the customer's details",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				r, err := leads.Get(ctx, js, tenant, args[0])
				if err != nil {
					return err
				}
				if wantsJSON(cmd) {
					return printJSON(cmd.OutOrStdout(), r)
				}
				return printLead(cmd, r)
			})
		},
	}
	cmd.Flags().StringVar(&tenant, "tenant", "", "the dealership that the lead is for")
	cmd.MarkFlagRequired("tenant")
	return cmd
}

func printLead(cmd *cobra.Command, r leads.Record) error {
	asJSON, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("print lead %s: %w", r.LeadID, err)
	}
	text, err := yaml.JSONToYAML(asJSON)
	if err != nil {
		return fmt.Errorf("print lead %s: %w", r.LeadID, err)
	}
	_, err = cmd.OutOrStdout().Write(text)
	return err
}
