package watch

import (
	"errors"
	"io/fs"
	"log/slog"

	"github.com/fsnotify/fsnotify"
)

// notices are the notifications of the file system. They only make the watcher look earlier than its next rescan: everything works
// without them, and the zero value but for its log has none.
type notices struct {
	events chan fsnotify.Event
	errors chan error
	fs     *fsnotify.Watcher
	log    *slog.Logger
	warned bool
}

func listen(log *slog.Logger) *notices {
	n := &notices{log: log}
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		n.warn(err)
		return n
	}
	n.fs, n.events, n.errors = fs, fs.Events, fs.Errors
	return n
}

func (n *notices) close() {
	if n.fs != nil {
		n.fs.Close()
	}
}

// watch asks for the notifications of a directory; to ask again does no harm.
func (n *notices) watch(path string) {
	if n.fs == nil {
		return
	}
	if err := n.fs.Add(path); err != nil && !errors.Is(err, fs.ErrNotExist) { // whoever looks at it says that
		n.warn(err)
	}
}

func (n *notices) unwatch(path string) {
	if n.fs != nil {
		_ = n.fs.Remove(path) // a directory that is gone has none any more
	}
}

// warn says once that notifications are missing: a limit of the system is met for every directory and every time.
func (n *notices) warn(err error) {
	if !n.warned {
		n.warned = true
		n.log.Warn("notifications of the file system are missing; files are found within the time of a rescan",
			"error", err, "rescan_every", rescanEvery.String())
	}
}

// isArrival says whether a file or directory has appeared or gone. That a file is written to says nothing yet: it is looked at again
// before it counts as complete.
func isArrival(e fsnotify.Event) bool {
	return e.Has(fsnotify.Create) || e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove)
}
