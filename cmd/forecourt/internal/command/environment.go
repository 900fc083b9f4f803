package command

import (
	"os"

	"github.com/spf13/cobra"
)

// variables stand for flags that are not given. The services' own binaries read the same.
var variables = map[string]string{
	"nats-url":          "FORECOURT_NATS_URL",
	"nats-monitor-urls": "FORECOURT_NATS_MONITOR_URLS",
	"replicas":          "FORECOURT_REPLICAS",
	"postgres-dsn":      "FORECOURT_POSTGRES_DSN",
	"retention":         "FORECOURT_RETENTION",
}

// examples of settings that are read, for those that cannot be.
var examples = map[string]string{
	"nats-url":          "nats://127.0.0.1:4222",
	"nats-monitor-urls": "http://127.0.0.1:8222",
	"replicas":          "3",
	"postgres-dsn":      "postgres://forecourt@127.0.0.1:5432/forecourt",
	"retention":         "72h",
}

// setting returns the value of a flag, of its environment variable when the flag is not given, or the flag's default; and
// which of them it is from, for messages.
func setting(cmd *cobra.Command, flag string) (value, from string) {
	f := cmd.Flags().Lookup(flag)
	if variable := variables[flag]; !f.Changed && os.Getenv(variable) != "" {
		return os.Getenv(variable), variable
	}
	return f.Value.String(), "--" + flag
}
