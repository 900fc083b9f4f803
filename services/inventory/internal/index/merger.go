package index

import (
	"slices"
	"sync"
)

// merger merges large segments one after the other, in a goroutine that ends when nothing is left to do.
type merger struct {
	mu      sync.Mutex
	queue   []*lot
	running bool
	idle    sync.WaitGroup // for who wants to see the goroutine end
}

// add lets the lot be tidied soon.
func (m *merger) add(l *lot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.queue, l) {
		m.queue = append(m.queue, l)
	}
	if !m.running {
		m.running = true
		m.idle.Go(m.run)
	}
}

func (m *merger) run() {
	for l := m.next(); l != nil; l = m.next() {
		for l.mergeNext() {
		}
	}
}

func (m *merger) next() *lot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.queue) == 0 {
		m.running = false
		return nil
	}
	l := m.queue[0]
	m.queue = m.queue[1:]
	return l
}

// mergeNext makes one segment of some, while readers and writers go on. It returns false when there is nothing to merge.
func (l *lot) mergeNext() bool {
	w := l.beginMerge()
	if w == nil {
		return false
	}
	w.install(w.merge())
	return true
}

// merging is a merge in work.
type merging struct {
	lot     *lot
	began   *view
	sources []*part // of began
}

func (l *lot) beginMerge() *merging {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := l.view.Load()
	l.busy = l.sizes.choose(v.parts, nil)
	if len(l.busy) == 0 {
		return nil
	}
	return &merging{l, v, l.busy}
}

func (w *merging) merge() (merged *part, number [][]uint16) {
	segment, number := mergeParts(w.sources)
	return (&part{segment: segment}).confirmed(w.began.confirmation), number
}

// install puts the merged part in place of its sources, with what has changed in them meanwhile.
func (w *merging) install(merged *part, number [][]uint16) {
	w.lot.mu.Lock()
	defer w.lot.mu.Unlock()
	w.lot.busy = nil
	now := *w.lot.view.Load()
	if now.confirmation != w.began.confirmation {
		merged = merged.confirmed(now.confirmation)
	}
	for s, source := range w.sources {
		i := slices.IndexFunc(now.parts, source.isOf)
		for doc := range now.parts[i].graves.all {
			if n := number[s][doc]; n != noDoc {
				merged.graves = merged.graves.bury(n)
			}
		}
	}
	now = now.replace(w.sources, merged)
	w.lot.view.Store(&now)
}
