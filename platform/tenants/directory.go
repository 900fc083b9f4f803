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
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/tenant"
)

// errWatchEnded says that a watch ended although nobody asked it to.
var errWatchEnded = errors.New("the watch of the bucket ended early")

// Directory is a live, in-memory copy of all tenant documents. Documents in it are never changed, only replaced: a pointer
// that Get returned before still says what was true then.
type Directory struct {
	kv  jetstream.KeyValue
	log *slog.Logger

	mu    sync.RWMutex
	docs  map[string]*tenant.Document
	ended bool // nothing is followed at the moment
}

// watchAgain is the pause between attempts to follow the bucket again.
const watchAgain = time.Second

// Watch loads every document and follows changes until ctx is done, through losses of the connection too, and when the bucket is
// replaced by another. It returns when the first load is complete.
func (s *Store) Watch(ctx context.Context, log *slog.Logger) (*Directory, error) {
	watcher, err := s.kv.WatchAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch tenants: %w", err)
	}
	d := &Directory{kv: s.kv, log: log, docs: make(map[string]*tenant.Document)}
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

// follow applies changes until ctx is done. The broker can end a watch: when the bucket is gone for a while, for example.
func (d *Directory) follow(ctx context.Context, watcher jetstream.KeyWatcher) {
	for entry := range watcher.Updates() {
		if entry != nil {
			d.apply(entry)
		}
	}
	again := time.NewTicker(watchAgain)
	defer again.Stop()
	for d.setEnded(ctx); ctx.Err() == nil; {
		select {
		case <-again.C:
			d.reload(ctx)
		case <-ctx.Done():
		}
	}
}

// reload watches anew, reading every document again first. It returns when the watch has ended or there is none.
func (d *Directory) reload(ctx context.Context) {
	watcher, err := d.kv.WatchAll(ctx)
	if err != nil {
		return // readiness tells
	}
	present := make(map[string]bool)
	for entry := range watcher.Updates() {
		if entry != nil {
			present[entry.Key()] = true
			d.apply(entry)
			continue
		}
		d.keep(present)
	}
	d.setEnded(ctx)
}

func (d *Directory) setEnded(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.ended && ctx.Err() == nil {
		d.log.Error("tenant documents are not followed until they can be read anew", "error", errWatchEnded)
	}
	d.ended = true
}

// keep ends a reload: documents that are not in the bucket any more go.
func (d *Directory) keep(present map[string]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.docs, func(id string, _ *tenant.Document) bool { return !present[id] })
	d.ended = false
	d.log.Info("tenant documents are followed again", "tenants", len(d.docs))
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
