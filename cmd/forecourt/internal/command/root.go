package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailure = 1 // the command was understood and failed
	exitUsage   = 2 // the command line is wrong
	// exitRejected: a feed was imported without the rows that are bad.
	exitRejected = 3
	// exitInterrupted is what shells report of a command that Ctrl-C ended. Commands that run until then end with 0.
	exitInterrupted = 130
)

// Main runs one command line and returns the exit code of the process. The command ends early, and cleanly, when ctx is
// done. Results go to out; logs, progress and the one sentence about a failure go to errOut.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(errOut, "forecourt: "+err.Error())
	if exit := (exitError{}); errors.As(err, &exit) {
		return exit.code
	}
	if errors.As(err, new(failure)) && !errors.As(err, new(usageError)) {
		return exitFailure
	}
	fmt.Fprintf(errOut, "Run '%s --help' for usage.\n", cmd.CommandPath())
	return exitUsage
}

func newRoot() *cobra.Command {
	root := group("forecourt", "Put car dealerships in front of AI agents",
		newDemo(), newServe(), newTenant(), newInventory(), newLeads(), newIdempotency(), newCall(), newVersion())
	root.Version = versionLine()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.CompletionOptions.HiddenDefaultCmd = true
	markFailures(root)
	return root
}

// group returns a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("a command is missing")}
			}
			return usageError{fmt.Errorf("there is no command %q", args[0])}
		},
		Args: cobra.ArbitraryArgs,
	}
	cmd.AddCommand(commands...)
	return cmd
}

// failure is an error of a command that ran. What else comes out of cobra is about the command line.
type failure struct{ error }

func (f failure) Unwrap() error { return f.error }

// usageError is an error about the command line that only a running command can find.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// exitError is a failure with an exit code of its own.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// errInterrupted says that a command was told to end before its work was done.
var errInterrupted = errors.New("interrupted")

func markFailures(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if err := run(cmd, args); err != nil {
				return failure{err}
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		markFailures(sub)
	}
}
