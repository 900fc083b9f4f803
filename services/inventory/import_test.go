package inventory_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	"forecourt.internal/services/inventory"
)

// messages are all that the stream holds.
func messages(t testing.TB, js jetstream.JetStream) []jetstream.Msg {
	t.Helper()
	stream, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	consumer, err := stream.OrderedConsumer(t.Context(), jetstream.OrderedConsumerConfig{})
	if err != nil {
		t.Fatal(err)
	}
	pending := int(consumer.CachedInfo().NumPending)
	if pending == 0 {
		return nil
	}
	batch, err := consumer.Fetch(pending)
	if err != nil {
		t.Fatal(err)
	}
	var out []jetstream.Msg
	for msg := range batch.Messages() {
		out = append(out, msg)
	}
	return out
}

// kinds are subject and kind of every event in the stream.
func kinds(t testing.TB, js jetstream.JetStream) []string {
	t.Helper()
	var out []string
	for _, msg := range messages(t, js) {
		kind := strings.Split(msg.Headers()["ce-type"][0], ".")[3]
		out = append(out, strings.TrimPrefix(msg.Subject(), "inventory.v1.")+" "+kind)
	}
	return out
}

func TestImport_PublishesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	b := natstest.Start(t)
	js := b.JetStream()
	available := func(id, price string) string {
		return fmt.Sprintf(`{"vehicle_id":%q,"stock":"S-%s","status":"available","price":%s}`, id, id, price)
	}
	sold := func(id string) string { return fmt.Sprintf(`{"vehicle_id":%q,"status":"sold"}`, id) }
	for _, step := range []struct {
		does string
		rows []string
		want inventory.Report
		then []string // the events it adds
	}{
		{"new vehicles are listed", []string{available("a", "1000"), available("b", "2000")},
			inventory.Report{Rows: 2, Listed: 2}, []string{"demo-lexus.a listed", "demo-lexus.b listed"}},
		{"the same again is no event of a vehicle", []string{available("a", "1000"), available("b", "2000")},
			inventory.Report{Rows: 2, Unchanged: 2, Confirmed: 2}, []string{"demo-lexus.~confirmed confirmed"}},
		{"another updated_at alone is no event of a vehicle",
			[]string{`{"vehicle_id":"a","stock":"S-a","status":"available","price":1000,"updated_at":"2031-01-01T00:00:00Z"}`},
			inventory.Report{Rows: 1, Unchanged: 1, Confirmed: 1}, []string{"demo-lexus.~confirmed confirmed"}},
		{"other facts are an update", []string{available("a", "900"), available("b", "2000")},
			inventory.Report{Rows: 2, Updated: 1, Unchanged: 1, Confirmed: 1}, []string{"demo-lexus.a updated", "demo-lexus.~confirmed confirmed"}},
		{"gone from sale is delisted once", []string{sold("a"), sold("never")},
			inventory.Report{Rows: 2, Delisted: 1, Unchanged: 1}, []string{"demo-lexus.a delisted"}},
		{"a vehicle that stays gone is no event", []string{sold("a")},
			inventory.Report{Rows: 1, Unchanged: 1}, nil},
		{"back on sale is listed", []string{available("a", "900")},
			inventory.Report{Rows: 1, Listed: 1}, []string{"demo-lexus.a listed"}},
		{"a file without a vehicle delists nothing", []string{available("c", "1")},
			inventory.Report{Rows: 1, Listed: 1}, []string{"demo-lexus.c listed"}},
	} {
		before := len(kindsOrNone(t, js))
		report := load(t, js, lexus, "["+strings.Join(step.rows, ",\n")+"]")
		if diff := diffReport(step.want, report); diff != "" {
			t.Errorf("%s: %s", step.does, diff)
		}
		var then []string
		if all := kindsOrNone(t, js); len(all) > before {
			then = all[before:]
		}
		if diff := cmp.Diff(step.then, then); diff != "" {
			t.Errorf("%s: %s", step.does, diff)
		}
	}
}

// kindsOrNone is kinds, also before the first import has opened the stream.
func kindsOrNone(t testing.TB, js jetstream.JetStream) []string {
	t.Helper()
	if _, err := js.Stream(t.Context(), "INVENTORY"); err != nil {
		return nil
	}
	return kinds(t, js)
}

func TestImport_EventsAreCloudEventsOfThePublishedSchema(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	at := time.Date(2026, 4, 30, 8, 41, 0, 0, time.UTC)
	_, err := inventory.Import(correlation.With(t.Context(), "run-1"), js, inventory.ImportConfig{
		Tenant: lexus, File: "feed.json", Logger: quiet, Now: func() time.Time { return at },
	}, strings.NewReader(`[{"vehicle_id":"a","status":"available","fees":[],"evidence":{"source":"elsewhere"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	msg := messages(t, js)[0]
	headers := msg.Headers()
	if headers["ce-id"][0] == "" {
		t.Error("no ce-id")
	}
	delete(headers, "ce-id")
	want := nats.Header{
		"ce-specversion": {"1.0"}, "ce-type": {"forecourt.inventory.vehicle.listed.v1"}, "ce-source": {"/forecourt/inventory"},
		"ce-subject": {"a"}, "ce-time": {"2026-04-30T08:41:00Z"}, "content-type": {"application/json"}, "correlation-id": {"run-1"},
		"ce-dataschema":                       {"https://autoagentprotocol.org/v3.0/schemas/event-inventory-vehicle.schema.json"},
		"Nats-Expected-Last-Subject-Sequence": {"0"}, "Nats-Expected-Stream": {"INVENTORY"},
	}
	if diff := cmp.Diff(want, headers); diff != "" {
		t.Error(diff)
	}
	valid(t, "event-inventory-vehicle.schema.json", msg.Data())
	wantData := `{"vehicle_id":"a","observed_at":"2026-04-30T08:41:00Z","source":"feed:aap-json","tenant":"demo-lexus",` +
		`"vehicle":{"dealer_id":"demo-lexus","vehicle_id":"a","rooftop":"Main","status":"available","fees":[],"updated_at":"2026-04-30T08:41:00Z"}}`
	if diff := cmp.Diff(wantData, string(msg.Data())); diff != "" {
		t.Error(diff)
	}
}

func TestImport_DelistedEventKeepsTheLastState(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	load(t, js, lexus, `[{"vehicle_id":"a","vin":"1M8GDM9AXKP042788","stock":"S1","status":"available","price":9000}]`)
	load(t, js, lexus, `[{"vehicle_id":"a","status":"sold"}]`)
	all := messages(t, js)
	var events [2]struct{ Vehicle map[string]any }
	for i := range events {
		if err := json.Unmarshal(all[i].Data(), &events[i]); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(events[0].Vehicle, events[1].Vehicle); diff != "" {
		t.Error(diff)
	}
}

func TestImport_UnreadableFile_ImportsNothing(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	for name, c := range map[string]struct{ feed, want string }{
		"empty":             {"", "empty"},
		"only white space":  {" \n", "empty"},
		"unknown columns":   {"name,age\nAnn,7\n", "dialect"},
		"cut JSON":          {"[{\"vehicle_id\":\"a\",\"status\":\"available\"},\n{\"vehicle_id\":", "line 2"},
		"JSON and more":     {`[{"vehicle_id":"a","status":"available"}] []`, "goes on"},
		"not JSON inside":   {"[{\"vehicle_id\":\"a\",\"status\":\"available\"},\n\n oops]", "line 3"},
		"secret in the end": {`[{"vehicle_id":"a","status":"available"},"secret`, "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := inventory.Import(t.Context(), js, inventory.ImportConfig{Tenant: lexus, File: "f", Logger: quiet}, strings.NewReader(c.feed))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
				t.Fatalf("err = %v, want one about %q", err, c.want)
			}
			if got := strings.Count(err.Error(), "import f: "); got != 1 {
				t.Errorf("%q names the file %d times", err, got)
			}
			if diff := diffReport(inventory.Report{}, report); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, err := inventory.Import(t.Context(), js, inventory.ImportConfig{Tenant: lexus, File: "f", Logger: quiet}, iotest.ErrReader(io.ErrNoProgress))
	if err == nil {
		t.Error("a file that cannot be read was imported")
	}
	if got := messages(t, js); len(got) != 0 {
		t.Errorf("%d events were published", len(got))
	}
}

func TestImport_OfWhatSearchReturns_ChangesNothing(t *testing.T) {
	t.Parallel()
	svc := serve(t, broker(t), nil)
	load(t, svc.js, toyota, providerFeed)
	eventually(t, func() bool { return svc.total(t, "demo-toyota") == 2 })
	listings := svc.search(t, &inventoryv1.SearchRequest{Tenant: "demo-toyota", Limit: 10}).GetListings()
	feed := "[" + string(listings[0]) + "," + string(listings[1]) + "]"
	report := load(t, svc.js, toyota, feed)
	report.Problems = nil
	if diff := diffReport(inventory.Report{Rows: 2, Unchanged: 2}, report); diff != "" {
		t.Error(diff)
	}
}

func TestImport_StopsWhenCanceled(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := inventory.Import(ctx, js, inventory.ImportConfig{Tenant: &tenant.Document{ID: "t"}, File: "f", Logger: quiet}, strings.NewReader(stock(1)))
	if err == nil {
		t.Error("a canceled import reported success")
	}
}

func TestImport_LogsOnlyWhatSucceeded(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	var text lockedBuffer
	cfg := inventory.ImportConfig{Tenant: lexus, File: "f", Logger: slog.New(slog.NewTextHandler(&text, nil))}
	if _, err := inventory.Import(t.Context(), js, cfg, strings.NewReader("no,feed\n")); err == nil || text.String() != "" {
		t.Errorf("a failed import: err %v, log %q; want an error and no log", err, text.String())
	}
	if _, err := inventory.Import(correlation.With(t.Context(), "run-1"), js, cfg, strings.NewReader(stock(1))); err != nil {
		t.Fatal(err)
	}
	if log := text.String(); strings.Count(log, "inventory imported") != 1 || !strings.Contains(log, "correlation_id=run-1 rows=1 listed=1 ") {
		t.Errorf("log = %s", log)
	}
}
