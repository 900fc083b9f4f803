package importer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"forecourt.internal/platform/streams"
)

const (
	// leaseBucket has a key per tenant while an import of it runs.
	leaseBucket = "INVENTORY_IMPORTS"
	// leaseFor is how long the lease of an import lasts that renews it no more, because its process was killed.
	leaseFor = 15 * time.Second
	// renewals is how often a lease is renewed in the time that it lasts.
	renewals = 4
)

// ErrLeaseLost ends an import that could not renew its lease in time: another may be at work.
var ErrLeaseLost = errors.New("the import lost its turn to another; import the file again")

// Leases let one import of a tenant run at a time, in whatever process.
type Leases struct {
	bucket jetstream.KeyValue
	// ttl is the bucket's: how long a lease lasts that is not renewed.
	ttl time.Duration
}

// OpenLeases opens the bucket, creating it when absent. It refuses one whose keys never expire: a killed import would keep its lease.
func OpenLeases(ctx context.Context, js jetstream.JetStream) (*Leases, error) {
	bucket, err := streams.OpenBucket(ctx, js, jetstream.KeyValueConfig{
		Bucket: leaseBucket, Description: "Running imports, by tenant", Storage: jetstream.FileStorage,
		TTL: leaseFor, LimitMarkerTTL: leaseFor, // the marker tells those who wait that a lease ran out
	})
	if err != nil {
		return nil, err
	}
	status, err := bucket.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", leaseBucket, err)
	}
	if status.TTL() == 0 {
		return nil, fmt.Errorf("open bucket %s: it has no TTL; set one, such as %s", leaseBucket, leaseFor)
	}
	return &Leases{bucket, status.TTL()}, nil
}

// Acquire waits until no other import of the tenant runs. The context that it returns ends when the lease is lost, with ErrLeaseLost as
// its cause, and with release, which gives the lease back.
func (l *Leases) Acquire(ctx context.Context, tenant string) (held context.Context, release func(), err error) {
	owner := ulid.Make().String()
	for {
		taken := time.Now()
		revision, err := l.bucket.Create(ctx, tenant, []byte(owner))
		if err == nil {
			held, release := l.hold(ctx, &lease{l, tenant, owner, revision, taken.Add(l.ttl)})
			return held, release, nil
		}
		if !streams.IsWrongLast(err) {
			return nil, nil, fmt.Errorf("wait for other imports of tenant %s: %w", tenant, err)
		}
		if err := l.awaitFree(ctx, tenant); err != nil {
			return nil, nil, fmt.Errorf("wait for other imports of tenant %s: %w", tenant, err)
		}
	}
}

// awaitFree waits until the tenant's lease is given back or runs out. The broker tells either; the timer is for a bucket of an
// operator that keeps no markers.
func (l *Leases) awaitFree(ctx context.Context, tenant string) error {
	watcher, err := l.bucket.Watch(ctx, tenant)
	if err != nil {
		return err
	}
	defer watcher.Stop()
	expires := time.NewTimer(l.ttl)
	defer expires.Stop()
	held := false
	for {
		select {
		case entry, open := <-watcher.Updates():
			switch {
			case !open:
				return errors.Join(ctx.Err(), errors.New("the watch ended"))
			case entry == nil && !held: // all there was has been read: no lease
				return nil
			case entry == nil:
			case entry.Operation() != jetstream.KeyValuePut:
				return nil
			default:
				held = true
				expires.Reset(l.ttl)
			}
		case <-expires.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// lease is one that is held.
type lease struct {
	*Leases
	tenant, owner string
	revision      uint64
	expires       time.Time
}

// hold renews a lease until it is lost or released.
func (l *Leases) hold(ctx context.Context, mine *lease) (held context.Context, release func()) {
	held, cancel := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		mine.keep(held, cancel)
	}()
	return held, func() {
		cancel(nil)
		<-ended
		// A lease that cannot be given back runs out; the import is over whatever happens to it.
		ctx, done := context.WithTimeout(context.WithoutCancel(ctx), l.ttl/renewals)
		defer done()
		_ = l.bucket.Delete(ctx, mine.tenant, jetstream.LastRevision(mine.revision))
	}
}

func (l *lease) keep(ctx context.Context, lose context.CancelCauseFunc) {
	tick := time.NewTicker(l.ttl / renewals)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := l.renew(ctx); errors.Is(err, ErrLeaseLost) || err != nil && !time.Now().Before(l.expires) {
			lose(ErrLeaseLost)
			return
		}
	}
}

// renew makes the lease last from now. It returns ErrLeaseLost when it is another's; other errors may pass.
func (l *lease) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/renewals)
	defer cancel()
	now := time.Now()
	revision, err := l.bucket.Update(ctx, l.tenant, []byte(l.owner), l.revision)
	if streams.IsWrongLast(err) { // by another, or by a renewal of ours whose answer was lost
		entry, getErr := l.bucket.Get(ctx, l.tenant)
		switch {
		case errors.Is(getErr, jetstream.ErrKeyNotFound) || getErr == nil && string(entry.Value()) != l.owner:
			return ErrLeaseLost
		case getErr != nil:
			return getErr
		}
		l.revision = entry.Revision()
		return nil
	}
	if err != nil {
		return err
	}
	l.revision, l.expires = revision, now.Add(l.ttl)
	return nil
}
