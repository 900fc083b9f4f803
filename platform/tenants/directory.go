package tenants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
)

// errWatchEnded says that a watch ended although nobody asked it to.
var errWatchEnded = errors.New("the watch of the bucket ended early")

// Directory is a live, in-memory copy of all tenant documents. Documents in it are never changed, only replaced: a pointer
// that Get returned before still says what was true then.
type Directory struct {
	log *slog.Logger

	mu    sync.RWMutex
	docs  map[string]*tenant.Document
	ended bool // nothing is followed any more
}

// Watch loads every document and follows changes until ctx is done, through losses of the connection too. It returns when the first
// load is complete.
func (s *Store) Watch(ctx context.Context, log *slog.Logger) (*Directory, error) {
	watcher, err := s.kv.WatchAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch tenants: %w", err)
	}
	d := &Directory{log: log, docs: make(map[string]*tenant.Document)}
	for {
		select {
		case entry, open := <-watcher.Updates():
			if !open {
				return nil, fmt.Errorf("load tenants: %w", cmp.Or(ctx.Err(), errWatchEnded))
			}
			if entry == nil { // all stored documents have been read
				go d.follow(ctx, watcher)
				return d, nil
			}
			d.apply(entry)
		case <-ctx.Done():
			return nil, fmt.Errorf("load tenants: %w", ctx.Err())
		}
	}
}

// Get returns the tenant's document, and whether there is one.
func (d *Directory) Get(id string) (*tenant.Document, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	doc, ok := d.docs[id]
	return doc, ok
}

// All returns the documents of all tenants, in no order.
func (d *Directory) All() []*tenant.Document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Collect(maps.Values(d.docs))
}

// Ready is nil while changes are followed.
func (d *Directory) Ready(context.Context) error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.ended {
		return errWatchEnded
	}
	return nil
}

func (d *Directory) follow(ctx context.Context, watcher jetstream.KeyWatcher) {
	for entry := range watcher.Updates() {
		if entry != nil {
			d.apply(entry)
		}
	}
	if ctx.Err() == nil {
		d.log.Error("tenant documents are not followed any more", "error", errWatchEnded)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = true
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
