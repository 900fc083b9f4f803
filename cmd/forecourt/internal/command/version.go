package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"forecourt.internal/contract"
	"forecourt.internal/platform/version"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the binary and of what it speaks",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "forecourt %s%s, AAP %s, MCP %s, %s\n",
				version.Version, revision(info), contract.Release, strings.Join(contract.Revisions(), " and "), runtime.Version())
			return err
		},
	}
}

// revision returns " (<commit>)" when the toolchain recorded the commit that the binary was built from, else "".
func revision(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return " (" + s.Value + ")"
		}
	}
	return ""
}
