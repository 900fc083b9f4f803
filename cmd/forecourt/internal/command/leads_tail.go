package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/leads"
)

func newLeadsTail() *cobra.Command {
	var tenant string
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Print leads, those that there are and then new ones, until Ctrl-C",
		Long: `Print one line per event of a lead, those that there are and then new ones as they come, until Ctrl-C.

The lines hold nothing about the customer, so that they can be kept and shown; 'forecourt leads get' prints a lead whole.
--json prints every event with all of its data, one per line.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if tenant == "" && cmd.Flags().Changed("tenant") { // such as an unset variable of a script
				return usageError{errors.New("--tenant is empty; leave it out for the leads of all dealerships")}
			}
			print := printLeadLine
			if wantsJSON(cmd) {
				print = printLeadJSON
			}
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			return withJetStream(cmd, func(ctx context.Context, js jetstream.JetStream) error {
				if err := checkTenant(ctx, js, tenant); err != nil {
					return err
				}
				return leads.Tail(ctx, js, tenant, log, func(r leads.Record) error { return print(cmd.OutOrStdout(), r) })
			})
		},
	}
	cmd.Flags().StringVar(&tenant, "tenant", "", "only this dealership's leads")
	return cmd
}

// checkTenant returns an error for a tenant that does not exist: nothing would ever come. "" is all tenants.
func checkTenant(ctx context.Context, js jetstream.JetStream, id string) error {
	if id == "" {
		return nil
	}
	store, err := tenants.Existing(ctx, js)
	if err != nil {
		return err
	}
	_, err = store.Get(ctx, id)
	return err
}

func printLeadJSON(out io.Writer, r leads.Record) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

func printLeadLine(out io.Writer, r leads.Record) error {
	_, err := fmt.Fprintln(out, leadLine(r))
	return err
}
