package watch

import (
	"cmp"
	"slices"
	"time"
)

// arrivals are the files that have been seen and are not yet dealt with. A file has arrived when it was first seen as it is; it is
// complete when it has stayed so for the settle time.
type arrivals struct {
	settle time.Duration
	byPath map[string]*arrival
}

type arrival struct {
	file
	since time.Time
	// queued says that the file was handed out; it is held until it is released.
	queued bool
}

func newArrivals(settle time.Duration) arrivals {
	return arrivals{settle: settle, byPath: map[string]*arrival{}}
}

// see takes note of all files that a directory holds now.
func (a arrivals) see(dir string, files []file, now time.Time) {
	there := make(map[string]bool, len(files))
	for _, f := range files {
		there[f.path()] = true
		if known := a.byPath[f.path()]; known == nil || !known.queued && !known.is(f.info) {
			a.byPath[f.path()] = &arrival{file: f, since: now}
		}
	}
	for path, known := range a.byPath {
		if known.dir == dir && !known.queued && !there[path] {
			delete(a.byPath, path)
		}
	}
}

// due returns the directories of the files that are complete unless they have changed since they were last seen.
func (a arrivals) due(now time.Time) []string {
	var dirs []string
	for _, known := range a.byPath {
		if a.isDue(known, now) && !slices.Contains(dirs, known.dir) {
			dirs = append(dirs, known.dir)
		}
	}
	return dirs
}

// complete hands out the files that are complete, in their order of arrival. Those that were there already when the first look was
// taken, or came between two looks, are in the order of their time of change.
func (a arrivals) complete(now time.Time) []file {
	var ready []*arrival
	for _, known := range a.byPath {
		if a.isDue(known, now) {
			known.queued = true
			ready = append(ready, known)
		}
	}
	slices.SortFunc(ready, func(x, y *arrival) int {
		return cmp.Or(x.since.Compare(y.since), x.info.ModTime().Compare(y.info.ModTime()), cmp.Compare(x.path(), y.path()))
	})
	files := make([]file, len(ready))
	for i, known := range ready {
		files[i] = known.file
	}
	return files
}

// release forgets a file that was handed out; what has its name from now on is another.
func (a arrivals) release(f file) { delete(a.byPath, f.path()) }

// next is when the next file is due; zero when none is waited for.
func (a arrivals) next() time.Time {
	var next time.Time
	for _, known := range a.byPath {
		if at := known.since.Add(a.settle); !known.queued && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

func (a arrivals) isDue(known *arrival, now time.Time) bool {
	return !known.queued && !now.Before(known.since.Add(a.settle))
}
