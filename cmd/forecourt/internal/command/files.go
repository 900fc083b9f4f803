package command

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// stdinName is the argument that means standard input.
const stdinName = "-"

// open opens a file argument and returns the name to report it under.
func open(cmd *cobra.Command, arg string) (io.ReadCloser, string, error) {
	if arg == stdinName {
		return io.NopCloser(cmd.InOrStdin()), "stdin", nil
	}
	f, err := os.Open(arg)
	if err != nil {
		return nil, "", err
	}
	return f, arg, nil
}

// read reads a file argument whole.
func read(cmd *cobra.Command, arg string) (text []byte, name string, err error) {
	f, name, err := open(cmd, arg)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if text, err = io.ReadAll(f); err != nil {
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	}
	return text, name, nil
}
