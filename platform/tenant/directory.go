package tenant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// errWatchEnded says that the broker's side of a watch went away before the documents were loaded.
var errWatchEnded = errors.New("the watch ended early")

// Directory is a live, in-memory copy of all tenant documents. Documents in it are never changed, only replaced: a pointer
// that Get returned before still says what was true then.
type Directory struct {
	log *slog.Logger

	mu   sync.RWMutex
	docs map[string]*Document
}

// Watch loads every document and follows changes until ctx is done. It returns when the first load is complete.
func (s *Store) Watch(ctx context.Context, log *slog.Logger) (*Directory, error) {
	watcher, err := s.kv.WatchAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch tenants: %w", err)
	}
	d := &Directory{log: log, docs: make(map[string]*Document)}
	for {
		select {
		case entry, open := <-watcher.Updates():
			if !open {
				return nil, fmt.Errorf("load tenants: %w", cmp.Or(ctx.Err(), errWatchEnded))
			}
			if entry == nil { // all stored documents have been read
				go d.follow(watcher)
				return d, nil
			}
			d.apply(entry)
		case <-ctx.Done():
			return nil, fmt.Errorf("load tenants: %w", ctx.Err())
		}
	}
}

// Get returns the tenant's document, and whether there is one.
func (d *Directory) Get(id string) (*Document, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	doc, ok := d.docs[id]
	return doc, ok
}

func (d *Directory) follow(watcher jetstream.KeyWatcher) {
	for entry := range watcher.Updates() {
		if entry != nil {
			d.apply(entry)
		}
	}
}

func (d *Directory) apply(entry jetstream.KeyValueEntry) {
	if entry.Operation() != jetstream.KeyValuePut {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.docs, entry.Key())
		return
	}
	doc, err := decode(entry)
	if err != nil {
		// The last good document keeps serving; whoever wrote this one bypassed Store.
		d.log.Error("tenant document refused", "tenant", entry.Key(), "error", err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.docs[entry.Key()] = doc
}
