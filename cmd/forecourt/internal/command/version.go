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
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionLine())
			return err
		},
	}
}

// versionLine is what "forecourt version" and "forecourt --version" print.
func versionLine() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("forecourt %s%s, AAP %s, MCP %s, %s",
		version.Version, revision(info), contract.Release, strings.Join(contract.Revisions(), " and "), runtime.Version())
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
