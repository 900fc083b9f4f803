package inventory_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

// shortLease makes leases of one second, as an operator may, so that a test can wait for one to run out.
func shortLease(t *testing.T, js jetstream.JetStream, ttl time.Duration) {
	t.Helper()
	_, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "INVENTORY_IMPORTS", TTL: ttl, LimitMarkerTTL: time.Second})
	if err != nil {
		t.Fatal(err)
	}
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
	const ttl = time.Second
	shortLease(t, b.JetStream(), ttl)
	feed, write := io.Pipe()
	var reading, waiting <-chan inventory.Stage
	first := importing(t.Context(), b.JetStream(), func(cfg *inventory.ImportConfig) { reading = stages(cfg) }, feed)
	for stage := range reading {
		if stage == inventory.Reading {
			break
		}
	}
	started := time.Now()
	second := importing(t.Context(), b.JetStream(), func(cfg *inventory.ImportConfig) { waiting = stages(cfg) }, strings.NewReader(stock(1)))
	if stage := <-waiting; stage != inventory.Waiting {
		t.Fatalf("the second import is %s", stage)
	}
	select { // much longer than a lease lasts by itself
	case stage := <-waiting:
		t.Fatalf("the second import is %s while the first is not over", stage)
	case <-time.After(2*ttl + ttl/2 - time.Since(started)):
	}
	if _, err := io.WriteString(write, stock(2)); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if diff := cmp.Diff(inventory.Report{Rows: 2, Listed: 2}, must(t, <-first)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1}, must(t, <-second)); diff != "" {
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
	shortLease(t, b.JetStream(), time.Second)
	killed := b.JetStream()
	feed, write := io.Pipe()
	var reading <-chan inventory.Stage
	first := importing(t.Context(), killed, func(cfg *inventory.ImportConfig) { reading = stages(cfg) }, feed)
	for stage := range reading {
		if stage == inventory.Reading {
			break
		}
	}
	second := importing(t.Context(), b.JetStream(), nil, strings.NewReader(stock(2)))
	killed.Conn().Close() // all that the broker sees of a killed process
	if diff := cmp.Diff(inventory.Report{Rows: 2, Listed: 2}, must(t, <-second)); diff != "" {
		t.Error(diff)
	}
	write.Close()
	if r := <-first; r.err == nil {
		t.Errorf("the import without a broker reports %+v", r.report)
	}
}

func TestImport_OfAnotherTenant_DoesNotWait(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	feed, write := io.Pipe()
	var reading <-chan inventory.Stage
	first := importing(t.Context(), b.JetStream(), func(cfg *inventory.ImportConfig) { reading = stages(cfg) }, feed)
	for stage := range reading {
		if stage == inventory.Reading {
			break
		}
	}
	load(t, b.JetStream(), toyota, providerFeed)
	write.CloseWithError(errors.New("stop"))
	if r := <-first; r.err == nil {
		t.Errorf("a file that cannot be read was imported: %+v", r.report)
	}
	load(t, b.JetStream(), lexus, stock(1)) // the lease was given back
}

func TestImport_ThatLostItsLease_EndsWithoutAChange(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	js := b.JetStream()
	shortLease(t, js, time.Second)
	feed, write := io.Pipe()
	var reading <-chan inventory.Stage
	first := importing(t.Context(), b.JetStream(), func(cfg *inventory.ImportConfig) { reading = stages(cfg) }, feed)
	for stage := range reading {
		if stage == inventory.Reading {
			break
		}
	}
	leases, err := js.KeyValue(t.Context(), "INVENTORY_IMPORTS")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := leases.Put(t.Context(), lexus.ID, []byte("another")); err != nil {
		t.Fatal(err)
	}
	watch, err := leases.Watch(t.Context(), lexus.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	for entry := range watch.Updates() { // until the other's lease has run out: the first has found out by then
		if entry != nil && entry.Operation() != jetstream.KeyValuePut {
			break
		}
	}
	if _, err := io.WriteString(write, stock(2)); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if r := <-first; r.err == nil || !strings.Contains(r.err.Error(), "import the file again") {
		t.Errorf("err = %v, report %+v", r.err, r.report)
	}
	if n := len(messages(t, js)); n != 0 {
		t.Errorf("%d events were published", n)
	}
}
