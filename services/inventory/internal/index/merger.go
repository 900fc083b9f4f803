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
	l.mu.Lock()
	v := l.view.Load()
	chosen := l.sizes.choose(v.parts, l.busy)
	l.busy = chosen
	l.mu.Unlock()
	if len(chosen) == 0 {
		return false
	}
	segment, number := mergeParts(chosen)
	merged := (&part{segment: segment}).confirmed(v.confirmation)

	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy = nil
	now := *l.view.Load()
	if now.confirmation != v.confirmation {
		merged = merged.confirmed(now.confirmation)
	}
	for s, source := range chosen { // what was buried meanwhile
		i := slices.IndexFunc(now.parts, source.isOf)
		for doc := range now.parts[i].graves.all {
			if n := number[s][doc]; n != noDoc {
				merged.graves = merged.graves.bury(n)
			}
		}
	}
	now = now.replace(chosen, merged)
	l.view.Store(&now)
	return true
}
