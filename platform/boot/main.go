package boot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/caarlos0/env/v11"
)

// Exit codes of a service's binary.
const (
	exitFailure  = 1
	exitSettings = 2
)

// Main is the main function of the service: it loads the settings, runs the service until SIGINT or SIGTERM and ends the process.
// A second signal ends it at once. The exit code is 0 after a signal, also during the start, 1 when run failed, and 2 when
// settings are wrong, with every problem on standard error, or arguments are given. Logs are JSON lines there.
func Main[S any](name string, run func(context.Context, *Process, S) error) {
	if len(os.Args) > 1 {
		fmt.Fprintf(os.Stderr, "%s: takes no arguments; its settings are the environment variables FORECOURT_…, see docs/operations.md\n", name)
		os.Exit(exitSettings)
	}
	release := LeaveRoom()
	ctx, restore := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, restore)
	code := mainWith(ctx, name, env.ToMap(os.Environ()), os.Stdout, os.Stderr, run)
	release()
	os.Exit(code)
}

func mainWith[S any](
	ctx context.Context, name string, environ map[string]string, out, errOut io.Writer, run func(context.Context, *Process, S) error,
) int {
	settings, err := Load[S](environ)
	if err != nil {
		for line := range strings.Lines(err.Error() + "\n") {
			fmt.Fprint(errOut, name+": "+line)
		}
		return exitSettings
	}
	p := newProcess(ctx, name, slog.New(slog.NewJSONHandler(errOut, nil)).With("service", name), out)
	err = run(ctx, p, settings)
	err = errors.Join(err, p.end())
	if err != nil && !(ctx.Err() != nil && errors.Is(err, context.Canceled)) {
		p.Log.Error("the process ends", "error", err)
		return exitFailure
	}
	return 0
}
