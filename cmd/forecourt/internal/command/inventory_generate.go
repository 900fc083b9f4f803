package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"forecourt.internal/services/inventory"
)

func newInventoryGenerate() *cobra.Command {
	var cfg inventory.GenerateConfig
	var file string
	cmd := &cobra.Command{
		Use:   "generate --count N",
		Short: "Write a feed of invented vehicles",
		Long: `Write a feed of invented vehicles as provider CSV, to try things and to measure them. The same count, seed and rooftops give
the same file everywhere. Vehicles stand at the rooftops given with --rooftop; a dealership of several needs them.`,
		Example: `  forecourt inventory generate --count 2000 --seed 7 -o stock.csv
  forecourt inventory generate --count 100 --rooftop North --rooftop South | forecourt inventory import --tenant demo -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Count < 0 || cfg.Count > inventory.MaxGenerated {
				return usageError{fmt.Errorf("--count %d is not from 0 to %d", cfg.Count, inventory.MaxGenerated)}
			}
			if err := writeOutput(cmd, file, func(out io.Writer) error { return inventory.Generate(out, cfg) }); err != nil {
				return err
			}
			return printWritten(cmd, file, cfg.Count)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&cfg.Count, "count", 0, "how many vehicles")
	flags.Uint64Var(&cfg.Seed, "seed", 1, "chooses the vehicles")
	flags.StringArrayVar(&cfg.Rooftops, "rooftop", nil, "a rooftop that vehicles stand at; may be repeated")
	outputFlag(cmd, &file)
	cmd.MarkFlagRequired("count")
	return cmd
}

func outputFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "output", "o", "", "write a file, which is there only once it is whole, instead of standard output")
}

// writtenFile is the --json output of a command that wrote a file.
type writtenFile struct {
	File     string `json:"file"`
	Vehicles int    `json:"vehicles"`
}

// printWritten says what is in a file that was written; standard output speaks for itself.
func printWritten(cmd *cobra.Command, file string, vehicles int) error {
	if file == "" {
		return nil
	}
	if wantsJSON(cmd) {
		return printJSON(cmd.OutOrStdout(), writtenFile{file, vehicles})
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", file, vehiclesCount(vehicles))
	return err
}

func vehiclesCount(n int) string {
	if n == 1 {
		return "1 vehicle"
	}
	return fmt.Sprintf("%d vehicles", n)
}
