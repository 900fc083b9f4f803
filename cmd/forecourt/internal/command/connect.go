package command

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"forecourt.internal/platform/boot"
)

// natsFlag adds --nats-url to a command and everything below it.
func natsFlag(cmd *cobra.Command) {
	cmd.PersistentFlags().String("nats-url", nats.DefaultURL, "NATS server of the running system (or FORECOURT_NATS_URL)")
}

// withJetStream runs a command's work on a connection to the running system.
func withJetStream(cmd *cobra.Command, work func(context.Context, jetstream.JetStream) error, options ...nats.Option) error {
	var url boot.NATSURL
	if err := readSetting(cmd, "nats-url", &url); err != nil {
		return usageError{err}
	}
	_, from := setting(cmd, "nats-url")
	nc, err := nats.Connect(string(url), append(options, nats.Name("forecourt "+cmd.Name()))...)
	if err != nil {
		return fmt.Errorf("cannot reach the running system at %s (%s): %w", url.Redacted(), from, err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	return work(cmd.Context(), js)
}
