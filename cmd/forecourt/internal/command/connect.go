package command

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"
)

// natsFlag adds --nats-url to a command and everything below it.
func natsFlag(cmd *cobra.Command) {
	cmd.PersistentFlags().String("nats-url", nats.DefaultURL, "NATS server of the running system")
}

// withJetStream runs a command's work on a connection to the running system.
func withJetStream(cmd *cobra.Command, work func(context.Context, jetstream.JetStream) error, options ...nats.Option) error {
	url, err := cmd.Flags().GetString("nats-url")
	if err != nil {
		return err
	}
	nc, err := nats.Connect(url, append(options, nats.Name("forecourt "+cmd.Name()))...)
	if err != nil {
		return fmt.Errorf("cannot reach the running system at %s (--nats-url): %w", url, err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	return work(cmd.Context(), js)
}
