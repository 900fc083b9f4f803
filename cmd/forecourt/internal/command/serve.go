package command

import (
	"encoding"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"forecourt.internal/cmd/forecourt/internal/compose"
)

func newServe() *cobra.Command {
	var cfg compose.Config
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run everything in one process, without demo data",
		Long: `Run every service in one process, over an embedded NATS server or with --nats-url over a real one. No tenant is needed
to start: add them with 'forecourt tenant apply' while it runs. Endpoints are printed one per line, then "ready". Ctrl-C
drains and ends; a second Ctrl-C ends at once.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := readServers(cmd, &cfg); err != nil {
				return usageError{err}
			}
			return runProcess(cmd, cfg, "{tenant}")
		},
	}
	processFlags(cmd, &cfg)
	flags := cmd.Flags()
	flags.String("nats-url", "", "NATS servers to use instead of the embedded one (or FORECOURT_NATS_URL)")
	flags.String("nats-monitor-urls", "", "monitoring ports of the NATS servers, to check that they sync each write (or FORECOURT_NATS_MONITOR_URLS)")
	flags.String("replicas", "1", "how many of the NATS servers keep each stream (or FORECOURT_REPLICAS)")
	flags.String("postgres-dsn", "", "Postgres database for idempotency keys, instead of NATS (or FORECOURT_POSTGRES_DSN)")
	flags.String("retention", "72h", "how long idempotency keys are remembered, at least 24h (or FORECOURT_RETENTION)")
	return cmd
}

// readServers reads which servers to use, from flags and the environment.
func readServers(cmd *cobra.Command, cfg *compose.Config) error {
	err := errors.Join(
		readSetting(cmd, "nats-url", &cfg.NATSURL),
		readSetting(cmd, "nats-monitor-urls", &cfg.Monitors),
		readSetting(cmd, "replicas", &cfg.Replicas),
		readSetting(cmd, "postgres-dsn", &cfg.PostgresDSN),
		readSetting(cmd, "retention", &cfg.Retention),
	)
	switch {
	case err != nil:
		return err
	case cfg.NATSURL != "" && cmd.Flags().Changed("nats-listen"):
		return errors.New("--nats-listen is of the embedded NATS server, which does not run with --nats-url; leave one of them out")
	case cfg.NATSURL == "" && cfg.Replicas > 1:
		return errors.New("--replicas needs a NATS cluster; name its servers with --nats-url")
	}
	return nil
}

// readSetting reads a setting into value, which stays as it is when there is none.
func readSetting(cmd *cobra.Command, flag string, value encoding.TextUnmarshaler) error {
	text, from := setting(cmd, flag)
	if text == "" {
		return nil
	}
	if err := value.UnmarshalText([]byte(text)); err != nil {
		return fmt.Errorf("%s: %w; write for example %s", from, err, examples[flag])
	}
	return nil
}
