package leads_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"forecourt.internal/services/leads"
)

func TestGet_FindsALeadOfItsTenantOnly(t *testing.T) {
	w := newWorld(t)
	var ids []string
	for i := range 3 {
		resp := w.mustSubmit(w.request(map[string]any{"idempotency_key": fmt.Sprintf("k-%d", i)}))
		ids = append(ids, leadID(t, resp.GetResponse()))
	}
	for i, id := range ids {
		record, err := leads.Get(t.Context(), w.js, dealership, id)
		w.must(err)
		if record.LeadID != id || record.Sequence != uint64(i+1) {
			t.Errorf("record = %+v, want lead %s at %d", record, id, i+1)
		}
	}
	last := ids[2][len(ids[2])-1:]
	other := ids[2][:len(ids[2])-1] + map[bool]string{true: "1", false: "0"}[last == "0"]
	for name, test := range map[string]struct{ tenant, id string }{
		"another tenant's": {rival, ids[0]}, "never given out": {dealership, other},
	} {
		if _, err := leads.Get(t.Context(), w.js, test.tenant, test.id); !errors.Is(err, leads.ErrNotFound) {
			t.Errorf("%s: err = %v, want ErrNotFound", name, err)
		}
	}
	for _, id := range []string{"", "lead_", "01JT3F6Q5X9M2K7V0A4B8C6D1E", "lead_01jt3f6q5x9m2k7v0a4b8c6d1e", "lead_81JT3F6Q5X9M2K7V0A4B8C6D1E", ids[0] + "0"} {
		if _, err := leads.Get(t.Context(), w.js, dealership, id); err == nil || errors.Is(err, leads.ErrNotFound) {
			t.Errorf("id %q: err = %v, want one that says what an id looks like", id, err)
		}
	}
	if _, err := leads.Get(t.Context(), w.js, "a.>", ids[0]); err == nil || errors.Is(err, leads.ErrNotFound) {
		t.Errorf("tenant a.>: err = %v", err)
	}
}

// The scan for a lead reads headers in batches; a lead must be found beyond the first.
func TestGet_FindsALeadAmongMany(t *testing.T) {
	w := newWorld(t)
	for i := range 700 {
		_, err := w.js.PublishMsgAsync(&nats.Msg{Subject: "lead.v1." + dealership + ".submitted", Header: nats.Header{
			"ce-specversion": {"1.0"}, "ce-id": {fmt.Sprint(i)}, "ce-type": {"t"}, "ce-source": {"/s"},
		}})
		w.must(err)
	}
	<-w.js.PublishAsyncComplete()
	id := leadID(t, w.mustSubmit(w.request(nil)).GetResponse())
	record, err := leads.Get(t.Context(), w.js, dealership, id)
	if err != nil || record.Sequence != 701 {
		t.Errorf("sequence = %d, err = %v; want 701", record.Sequence, err)
	}
	w.wantConsumers()
}

// wantConsumers allows for the consumer of the service, which follows the log.
func (w *world) wantConsumers() {
	w.t.Helper()
	stream, err := w.js.Stream(w.t.Context(), "LEADS")
	w.must(err)
	if n := stream.CachedInfo().State.Consumers; n != 1 {
		w.t.Errorf("consumers = %d, want that of the service", n)
	}
}

// tail follows a tenant's leads until it has n of them; before the last one comes, last makes it.
func (w *world) tail(tenant string, n int, last func()) (ids []string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	w.must(leads.Tail(ctx, w.js, tenant, w.logs.logger(), func(r leads.Record) error {
		switch ids = append(ids, r.Tenant+" "+r.LeadID); len(ids) {
		case n - 1:
			last()
		case n:
			cancel()
		}
		return nil
	}))
	return ids
}

func TestTail_ExistingEventsThenLive_UntilTheContextIsDone(t *testing.T) {
	w := newWorld(t)
	var want []string
	submit := func(tenant, key string) {
		resp, err := w.submitAs(t.Context(), tenant, caller, w.request(map[string]any{"idempotency_key": key}))
		w.must(err)
		want = append(want, tenant+" "+leadID(t, resp.GetResponse()))
	}
	submit(dealership, "k-1")
	submit(rival, "k-2")
	got := w.tail("", 3, func() { submit(dealership, "k-live") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{want[0], want[2]}, w.tail(dealership, 2, func() {})); diff != "" {
		t.Errorf("of one tenant: %s", diff)
	}
}

func TestTail_PassesOverWhatIsNoEvent_AndSaysSo(t *testing.T) {
	w := newWorld(t)
	envelope := nats.Header{"ce-specversion": {"1.0"}, "ce-id": {"1"}, "ce-type": {"t"}, "ce-source": {"/s"}}
	for name, msg := range map[string]*nats.Msg{
		"no envelope": {Data: []byte(`{}`)}, "no data": {Header: envelope}, "broken data": {Header: envelope, Data: []byte(`{"lead_id":`)},
	} {
		t.Run(name, func(t *testing.T) {
			msg.Subject = "lead.v1." + dealership + ".submitted"
			ack, err := w.js.PublishMsg(t.Context(), msg)
			w.must(err)
			resp := w.mustSubmit(w.request(map[string]any{"idempotency_key": name}))
			want := dealership + " " + leadID(t, resp.GetResponse())
			events := w.events(dealership)
			if got := w.tail(dealership, events/2, func() {}); got[len(got)-1] != want { // the other half is foreign
				t.Errorf("tail = %v, want %s at its end", got, want)
			}
			if line := w.logs.line(fmt.Sprintf("sequence=%d ", ack.Sequence)); !strings.Contains(line, "level=WARN") {
				t.Errorf("the log says %q of the message", line)
			}
		})
	}
}

func TestTail_ReturnsTheErrorOfItsCallback(t *testing.T) {
	w := newWorld(t)
	w.mustSubmit(w.request(nil))
	full := errors.New("disk full")
	if err := leads.Tail(t.Context(), w.js, "", w.logs.logger(), func(leads.Record) error { return full }); !errors.Is(err, full) {
		t.Errorf("err = %v, want the callback's", err)
	}
	if err := leads.Tail(t.Context(), w.js, "*", w.logs.logger(), nil); err == nil || !strings.Contains(err.Error(), "tenant") {
		t.Errorf("tenant *: err = %v", err)
	}
}

func TestTail_LeavesNoConsumerBehind(t *testing.T) {
	w := newWorld(t)
	w.mustSubmit(w.request(nil))
	enough := errors.New("enough")
	if err := leads.Tail(t.Context(), w.js, "", w.logs.logger(), func(leads.Record) error { return enough }); !errors.Is(err, enough) {
		t.Fatal(err)
	}
	w.wantConsumers()
}
