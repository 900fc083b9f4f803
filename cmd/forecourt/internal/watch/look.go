package watch

import (
	"path/filepath"
	"time"
)

// lookAt looks at the directory that a notification is about.
func (w *watcher) lookAt(path string) {
	dir, err := filepath.Rel(w.Dir, path)
	switch {
	case err != nil:
	case w.known[dir]:
		w.look(dir)
	case dir == top:
		w.mustFindDirectories()
	}
}

// lookAtAll looks at everything.
func (w *watcher) lookAtAll() {
	w.mustFindDirectories()
	for dir := range w.known {
		w.look(dir)
	}
}

func (w *watcher) mustFindDirectories() {
	if err := w.findDirectories(); err != nil {
		w.Logger.Error("the watched directory cannot be read; it is tried again", "error", err, "retry_in", rescanEvery.String())
	}
}

// findDirectories brings the known directories up to date and looks into the new ones.
func (w *watcher) findDirectories() error {
	w.notices.watch(w.tree.path(top))
	dirs, strays, err := w.tree.directories()
	if err != nil {
		return err
	}
	for _, name := range strays {
		if !w.strays[name] {
			w.strays[name] = true
			w.Logger.Warn("this is in no tenant's directory and is left alone; files belong into DIR/<tenant>/", "name", name)
		}
	}
	gone := w.known
	w.known = make(map[string]bool, len(dirs))
	for _, dir := range dirs {
		w.known[dir] = true
		if !gone[dir] {
			w.look(dir)
		}
		delete(gone, dir)
	}
	for dir := range gone {
		w.arrivals.see(dir, nil, time.Now())
		w.notices.unwatch(w.tree.path(dir))
	}
	return nil
}

// look brings the arrivals up to date with one directory. It asks for notifications first, so that no file falls between.
func (w *watcher) look(dir string) {
	w.notices.watch(w.tree.path(dir))
	files, err := w.tree.files(dir)
	if err != nil {
		w.Logger.Warn("a directory cannot be read", "dir", w.tree.path(dir), "error", err)
	}
	w.arrivals.see(dir, files, time.Now())
}
