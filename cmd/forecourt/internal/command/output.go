package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// writeOutput lets write write to standard output when path is "", else to a file that is there only once it is whole. While it does,
// a terminal shows the progress. A command that is told to end does so at its next write.
func writeOutput(cmd *cobra.Command, path string, write func(io.Writer) error) error {
	bar := newProgress(cmd)
	defer bar.clear()
	counted := func(out io.Writer) error {
		return write(&countingWriter{ctx: cmd.Context(), out: out, bar: bar})
	}
	if path == "" {
		if isTerminal(cmd.OutOrStdout()) {
			bar = nil // it would be drawn into the text
		}
		out := bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10)
		if err := counted(out); err != nil {
			return err
		}
		return out.Flush()
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // such as /dev/null, which must stay what it is
		out, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer out.Close()
		return counted(out)
	}
	if err := writeWhole(path, counted); err != nil {
		return fmt.Errorf("%s was not written: %w", path, err)
	}
	return nil
}

// writeWhole writes a file beside its place and then moves it there.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	out, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			out.Close()
			os.Remove(out.Name())
		}
	}()
	if err := out.Chmod(0o644); err != nil {
		return err
	}
	if err := write(out); err != nil {
		return err
	}
	if err := out.Sync(); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// countingWriter shows how much has been written.
type countingWriter struct {
	ctx     context.Context
	out     io.Writer
	bar     *progress
	written int64
}

func (w *countingWriter) Write(text []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, exitError{errInterrupted, exitInterrupted}
	}
	n, err := w.out.Write(text)
	w.written += int64(n)
	w.bar.show(work{says: "writing", inBytes: true}, w.written, 0)
	return n, err
}
