package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"
)

// errChanged says that a file is not any more what it was when it settled.
var errChanged = errors.New("the file has changed")

// taken is what became of a file that was in hand. err is nil when it was dealt with and moved, errChanged when its name is now another
// file's, and anything else when the same file is to be tried again.
type taken struct {
	file
	err error
}

func (t taken) retry() bool { return t.err != nil && !errors.Is(t.err, errChanged) }

// take imports a file and moves it to where it belongs then. It runs beside the loop.
func (w *watcher) take(ctx context.Context, f file) taken {
	began := time.Now()
	root, err := os.OpenRoot(w.Dir)
	if err != nil {
		return taken{f, err}
	}
	defer root.Close()
	in, err := f.open(root)
	if err != nil {
		return taken{f, err}
	}
	defer in.Close()
	name := w.tree.path(f.path())
	result, err := w.Import(ctx, f.tenant, name, in)
	if err != nil {
		return taken{f, err}
	}
	to, err := archive(root, f, result, began)
	if errors.Is(err, errChanged) {
		return taken{f, err}
	}
	if err != nil {
		return taken{f, fmt.Errorf("move %s: %w", name, err)}
	}
	level, message := slog.LevelInfo, "feed imported"
	if result.Failed {
		level, message = slog.LevelError, "feed failed"
	}
	w.Logger.LogAttrs(ctx, level, message, append([]slog.Attr{
		slog.String("tenant", f.tenant), slog.String("file", name), slog.String("moved_to", w.tree.path(to)),
		slog.Int64("took_ms", time.Since(began).Milliseconds()),
	}, result.Log...)...)
	return taken{f, nil}
}

// settle takes note of what became of a file.
func (w *watcher) settle(ctx context.Context, t taken) {
	wait := w.lanes.done(t.file, t.retry(), time.Now())
	about := []any{"tenant", t.tenant, "file", w.tree.path(t.path())}
	switch {
	case ctx.Err() != nil && t.err != nil:
		w.Logger.Info("feed left alone at the end; the next start imports it", about...)
	case t.retry():
		w.Logger.Warn("feed not imported yet; it is tried again", append(about, "error", t.err, "retry_in", wait.String())...)
	case t.err != nil:
		w.Logger.Info("feed changed since it settled; it counts as another", about...)
	}
	if !t.retry() {
		w.arrivals.release(t.file)
		w.look(t.dir) // another file may have taken its name meanwhile
	}
}
