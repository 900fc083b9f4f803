package watch

import (
	"context"
	"log/slog"
	"path/filepath"
	"time"
)

// Config says which directory is watched and what is done with its files. Every member is needed but Tenant.
type Config struct {
	Dir string
	// Tenant is whose files lie in Dir. "": they lie in directories of Dir, each named by the id of its tenant.
	Tenant string
	// ValidTenant says whether a directory's name can be the id of a tenant.
	ValidTenant func(string) bool
	Import      Import
	// Settle is how long a file's size and time of change must stay the same before the file counts as complete.
	Settle time.Duration
	Logger *slog.Logger
}

const (
	// rescanEvery is how often everything is looked at, for what no notification told of: some get lost, and file systems of a
	// network send none.
	rescanEvery = 10 * time.Second
	// parallel is how many files are imported at once; the broker is what limits an import.
	parallel = 4
)

// watcher is the state of the loop. Only the goroutine of the loop touches it, except in take.
type watcher struct {
	Config
	notices  *notices
	tree     tree
	known    map[string]bool // directories that hold feeds, by their path in the tree
	strays   map[string]bool // names that were warned of
	arrivals arrivals
	lanes    lanes
	taken    chan taken // what became of the files in hand
}

// Run watches until ctx is done. The imports that run then are told to end; their files stay and are imported by the next Run. It
// returns an error only when the directory cannot be read at the start.
func Run(ctx context.Context, cfg Config) error {
	n := listen(cfg.Logger)
	defer n.close()
	return run(ctx, cfg, n)
}

func run(ctx context.Context, cfg Config, n *notices) error {
	w := &watcher{
		Config: cfg, notices: n, tree: tree{dir: cfg.Dir, tenant: cfg.Tenant, validTenant: cfg.ValidTenant},
		known: map[string]bool{}, strays: map[string]bool{}, taken: make(chan taken),
		arrivals: newArrivals(cfg.Settle), lanes: newLanes(parallel),
	}
	if err := w.findDirectories(); err != nil {
		return err
	}
	w.Logger.InfoContext(ctx, "watching for feeds", "dir", cfg.Dir)
	w.loop(ctx)
	for w.lanes.running > 0 {
		w.settle(ctx, <-w.taken)
	}
	return nil
}

// loop reacts to what happens until ctx is done.
func (w *watcher) loop(ctx context.Context) {
	rescan := time.NewTicker(rescanEvery)
	defer rescan.Stop()
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case e := <-w.notices.events:
			if isArrival(e) {
				w.lookAt(filepath.Dir(e.Name))
			}
		case err := <-w.notices.errors:
			w.notices.warn(err)
		case <-rescan.C:
			w.lookAtAll()
		case <-alarm.C:
		case t := <-w.taken:
			w.settle(ctx, t)
		}
		w.queueComplete()
		w.start(ctx)
		if next, ok := w.next(); ok {
			alarm.Reset(time.Until(next))
		} else {
			alarm.Stop()
		}
	}
}

// queueComplete queues the files that have settled. It looks at each once more: a change may have sent no notification.
func (w *watcher) queueComplete() {
	now := time.Now()
	for _, dir := range w.arrivals.due(now) {
		w.look(dir)
	}
	for _, f := range w.arrivals.complete(now) {
		w.lanes.add(f)
	}
}

// start takes as many files as may be in hand at once.
func (w *watcher) start(ctx context.Context) {
	for {
		f, ok := w.lanes.next(time.Now())
		if !ok {
			return
		}
		go func() { w.taken <- w.take(ctx, f) }()
	}
}

// next is when there will be something to do if nothing happens.
func (w *watcher) next() (at time.Time, ok bool) {
	for _, t := range []time.Time{w.arrivals.next(), w.lanes.wake(time.Now())} {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	return at, !at.IsZero()
}
