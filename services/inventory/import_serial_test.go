package inventory_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory"
)

type imported struct {
	report inventory.Report
	err    error
}

// importing runs an import of the dealership lexus on a connection of its own.
func importing(ctx context.Context, js jetstream.JetStream, change func(*inventory.ImportConfig), r io.Reader) <-chan imported {
	cfg := inventory.ImportConfig{Tenant: lexus, File: "feed", Logger: quiet}
	if change != nil {
		change(&cfg)
	}
	done := make(chan imported, 1)
	go func() {
		report, err := inventory.Import(ctx, js, cfg, r)
		done <- imported{report, err}
	}()
	return done
}

func TestImport_SeveralAtOnce_OneAfterTheOther(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	const importers, vehicles = 4, 40
	var results []<-chan imported
	for i := range importers {
		var rows []string
		for v := range vehicles {
			rows = append(rows, car(v, 20000+i))
		}
		results = append(results, importing(t.Context(), b.JetStream(), nil, strings.NewReader("["+strings.Join(rows, ",")+"]")))
	}
	var listed, updated int
	for _, done := range results {
		r := <-done
		if r.err != nil {
			t.Fatal(r.err)
		}
		listed, updated = listed+r.report.Listed, updated+r.report.Updated
	}
	if listed != vehicles || updated != (importers-1)*vehicles {
		t.Errorf("%d listed and %d updated: an import did not see what another had written", listed, updated)
	}
	if stored := len(messages(t, b.JetStream())); stored != importers*vehicles {
		t.Errorf("%d events are stored, want %d", stored, importers*vehicles)
	}
}

// leaseTTL is short, so that a test can wait for a lease to run out, and long enough to be renewed on a busy machine.
const leaseTTL = 2 * time.Second

// shortLeases makes leases last for leaseTTL, as an operator may, and returns their bucket.
func shortLeases(t *testing.T, js jetstream.JetStream) jetstream.KeyValue {
	t.Helper()
	bucket, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "INVENTORY_IMPORTS", TTL: leaseTTL, LimitMarkerTTL: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return bucket
}

// watchLease returns what happens to the lease of the dealership lexus from now on.
func watchLease(t *testing.T, bucket jetstream.KeyValue) <-chan jetstream.KeyValueEntry {
	t.Helper()
	watcher, err := bucket.Watch(t.Context(), lexus.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { watcher.Stop() })
	return watcher.Updates()
}

// paused is an import that has begun to read and waits for its file.
type paused struct {
	done  <-chan imported
	write *io.PipeWriter
}

func pause(t *testing.T, js jetstream.JetStream) paused {
	t.Helper()
	feed, write := io.Pipe()
	var began <-chan inventory.Stage
	done := importing(t.Context(), js, func(cfg *inventory.ImportConfig) { began = stages(cfg) }, feed)
	for stage := range began {
		if stage == inventory.Reading {
			break
		}
	}
	return paused{done, write}
}

// finish gives the import its file.
func (p paused) finish(t *testing.T, feed string) imported {
	t.Helper()
	if _, err := io.WriteString(p.write, feed); err != nil {
		t.Fatal(err)
	}
	p.write.Close()
	return <-p.done
}

// stages tells a channel of each stage of an import as it begins.
func stages(cfg *inventory.ImportConfig) <-chan inventory.Stage {
	began := make(chan inventory.Stage, 10)
	var last inventory.Stage
	cfg.Progress = func(p inventory.Progress) {
		if p.Stage != last {
			last = p.Stage
			began <- p.Stage
		}
	}
	return began
}

func TestImport_WaitsForAnother_WhoseLeaseIsRenewed(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	bucket := shortLeases(t, b.JetStream())
	first := pause(t, b.JetStream())
	var began <-chan inventory.Stage
	second := importing(t.Context(), b.JetStream(), func(cfg *inventory.ImportConfig) { began = stages(cfg) }, strings.NewReader(stock(1)))
	if stage := <-began; stage != inventory.Waiting {
		t.Fatalf("the second import is %s", stage)
	}
	var since time.Time
	for entry := range watchLease(t, bucket) {
		switch {
		case entry == nil:
			continue
		case since.IsZero():
			since = entry.Created()
		}
		if entry.Created().Sub(since) > leaseTTL { // which a lease does not last by itself
			break
		}
	}
	select {
	case stage := <-began:
		t.Fatalf("the second import is %s while the first is not over", stage)
	default:
	}
	if diff := diffReport(inventory.Report{Rows: 2, Listed: 2}, must(t, first.finish(t, stock(2)))); diff != "" {
		t.Error(diff)
	}
	if diff := diffReport(inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1}, must(t, <-second)); diff != "" {
		t.Error(diff)
	}
}

func must(t *testing.T, r imported) inventory.Report {
	t.Helper()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r.report
}

func TestImport_AfterOneThatWasKilled_Continues(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	shortLeases(t, b.JetStream())
	killed := b.JetStream()
	first := pause(t, killed)
	second := importing(t.Context(), b.JetStream(), nil, strings.NewReader(stock(2)))
	killed.Conn().Close() // all that the broker sees of a killed process
	if diff := diffReport(inventory.Report{Rows: 2, Listed: 2}, must(t, <-second)); diff != "" {
		t.Error(diff)
	}
	if r := first.finish(t, stock(2)); r.err == nil {
		t.Errorf("the import without a broker reports %+v", r.report)
	}
}

func TestImport_OfAnotherTenant_DoesNotWait(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	first := pause(t, b.JetStream())
	load(t, b.JetStream(), toyota, providerFeed)
	first.write.CloseWithError(errors.New("stop"))
	if r := <-first.done; r.err == nil {
		t.Errorf("a file that cannot be read was imported: %+v", r.report)
	}
	load(t, b.JetStream(), lexus, stock(1)) // the lease was given back
}

func TestImport_ThatLostItsLease_EndsWithoutAChange(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	js := b.JetStream()
	bucket := shortLeases(t, js)
	first := pause(t, b.JetStream())
	if _, err := bucket.Put(t.Context(), lexus.ID, []byte("another")); err != nil {
		t.Fatal(err)
	}
	for entry := range watchLease(t, bucket) { // until the other's lease has run out: the first has found out by then
		if entry != nil && entry.Operation() != jetstream.KeyValuePut {
			break
		}
	}
	if r := first.finish(t, stock(2)); r.err == nil || !strings.Contains(r.err.Error(), "import the file again") {
		t.Errorf("err = %v, report %+v", r.err, r.report)
	}
	if n := len(messages(t, js)); n != 0 {
		t.Errorf("%d events were published", n)
	}
}
