package tenants_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
)

// demo is a document with something in every kind of member.
func demo() *tenant.Document {
	return &tenant.Document{
		ID: "demo", Name: "Demo", WelcomeMessage: "Welcome.",
		Skills: []contract.SkillID{contract.InventorySearch}, Origins: []string{"https://demo.example"},
		DisabledFilters: []string{"geo"},
		Feed: tenant.Feed{
			PriceIncludesFees: true, Dialect: "provider-csv", MileageUnit: "km",
			Mapping: map[string]tenant.HeaderNames{"vin": {"Chassis"}, "stock": {"Stock", "No"}},
		},
		Rooftops: []tenant.Rooftop{{
			Name: "North", Geo: &tenant.Geo{Latitude: 37.5, Longitude: -122.25}, Address: map[string]string{"city": "Oakland"},
			Schedules: []tenant.Schedule{{Value: map[string]*tenant.Hours{"monday": {Open: "09:00", Close: "19:30"}, "sunday": nil}}},
			Fees:      []tenant.Fee{{Name: "Documentation fee", Amount: 85}},
		}},
	}
}

func openStore(t *testing.T, js jetstream.JetStream) *tenants.Store {
	t.Helper()
	s, err := tenants.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *tenants.Store, d *tenant.Document) {
	t.Helper()
	if err := s.Put(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, s *tenants.Store, id string) {
	t.Helper()
	if err := s.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func TestStore_KeepsDocumentsAcrossARestart(t *testing.T) {
	broker := natstest.Start(t)
	s := openStore(t, broker.JetStream())
	want := demo()
	put(t, s, &tenant.Document{ID: "demo", Name: "Before"})
	put(t, s, want)
	put(t, s, &tenant.Document{ID: "another", Name: "Another"})

	broker.Restart()
	s = openStore(t, broker.JetStream())
	got, err := s.Get(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	ids, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"another", "demo"}, ids); diff != "" {
		t.Error(diff)
	}
}

func TestStore_KeepsAnEmptySkillList(t *testing.T) {
	s := openStore(t, natstest.Start(t).JetStream())
	put(t, s, &tenant.Document{ID: "demo", Skills: []contract.SkillID{}})
	got, err := s.Get(t.Context(), "demo")
	if err != nil {
		t.Fatal(err)
	}
	if got.Enabled(contract.InventorySearch) {
		t.Error("a tenant with no skill offers inventory.search")
	}
}

func TestStore_EmptyBucket_ListsNothing(t *testing.T) {
	ids, err := openStore(t, natstest.Start(t).JetStream()).List(t.Context())
	if err != nil || len(ids) != 0 {
		t.Errorf("ids = %v, err = %v; want none", ids, err)
	}
}

func TestStore_UnknownOrImpossibleID_IsNotFound(t *testing.T) {
	s := openStore(t, natstest.Start(t).JetStream())
	for _, id := range []string{"nobody", "", "*", ">", "a.b", "../demo"} {
		if _, err := s.Get(t.Context(), id); !errors.Is(err, tenants.ErrNotFound) {
			t.Errorf("Get(%q): err = %v, want ErrNotFound", id, err)
		}
		if err := s.Delete(t.Context(), id); !errors.Is(err, tenants.ErrNotFound) {
			t.Errorf("Delete(%q): err = %v, want ErrNotFound", id, err)
		}
		if id == "nobody" {
			continue
		}
		if err := s.Put(t.Context(), &tenant.Document{ID: id}); err == nil {
			t.Errorf("Put(%q) was accepted", id)
		}
	}
}

// watch returns a live directory and a function that waits until it says what the test expects.
func watch(t *testing.T, s *tenants.Store, log *slog.Logger) (*tenants.Directory, func(what string, holds func() bool)) {
	t.Helper()
	d, err := s.Watch(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	return d, func(what string, holds func() bool) {
		t.Helper()
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		timeout := time.After(30 * time.Second)
		for !holds() {
			select {
			case <-tick.C:
			case <-timeout:
				t.Fatalf("the directory never came to: %s", what)
			}
		}
	}
}

func TestDirectory_HoldsEveryDocumentOnceWatched_ThenFollows(t *testing.T) {
	js := natstest.Start(t).JetStream()
	s := openStore(t, js)
	want := demo()
	put(t, s, want)
	d, eventually := watch(t, s, slog.New(slog.DiscardHandler))

	first, ok := d.Get("demo")
	if !ok {
		t.Fatal("demo is not there after Watch")
	}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	if _, ok := d.Get("new"); ok {
		t.Error("a tenant nobody stored")
	}

	put(t, s, &tenant.Document{ID: "new", Name: "New"})
	eventually("a tenant added", func() bool { _, ok := d.Get("new"); return ok })
	put(t, s, &tenant.Document{ID: "demo", Name: "Changed"})
	eventually("a tenant changed", func() bool { now, _ := d.Get("demo"); return now.Name == "Changed" })
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("a document handed out before was changed:\n%s", diff)
	}

	remove(t, s, "demo")
	eventually("a tenant deleted", func() bool { _, ok := d.Get("demo"); return !ok })
	put(t, s, want)
	eventually("a tenant that is back", func() bool { now, _ := d.Get("demo"); return cmp.Equal(want, now) })
}

func TestDelete_TheDocumentIsGoneUntilItIsPutAgain(t *testing.T) {
	broker := natstest.Start(t)
	s := openStore(t, broker.JetStream())
	put(t, s, demo())
	put(t, s, &tenant.Document{ID: "other"})
	remove(t, s, "demo")
	for _, when := range []string{"at once", "after a restart"} {
		if _, err := s.Get(t.Context(), "demo"); !errors.Is(err, tenants.ErrNotFound) {
			t.Errorf("%s: Get = %v, want ErrNotFound", when, err)
		}
		if err := s.Delete(t.Context(), "demo"); !errors.Is(err, tenants.ErrNotFound) {
			t.Errorf("%s: Delete = %v, want ErrNotFound", when, err)
		}
		if ids, err := s.List(t.Context()); err != nil || !cmp.Equal(ids, []string{"other"}) {
			t.Errorf("%s: ids = %v, %v", when, ids, err)
		}
		if d, _ := watch(t, s, slog.New(slog.DiscardHandler)); d != nil {
			if _, ok := d.Get("demo"); ok {
				t.Errorf("%s: a new watcher sees it", when)
			}
		}
		broker.Restart()
		s = openStore(t, broker.JetStream())
	}
	put(t, s, demo())
	if got, err := s.Get(t.Context(), "demo"); err != nil || !cmp.Equal(got, demo()) {
		t.Errorf("put again: %+v, %v", got, err)
	}
}

func TestDelete_TakesADocumentThatCannotBeRead(t *testing.T) {
	js := natstest.Start(t).JetStream()
	s := openStore(t, js)
	kv, err := js.KeyValue(t.Context(), tenants.Bucket)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kv.Put(t.Context(), "demo", []byte("{")); err != nil {
		t.Fatal(err)
	}
	remove(t, s, "demo")
	if _, err := s.Get(t.Context(), "demo"); !errors.Is(err, tenants.ErrNotFound) {
		t.Errorf("Get = %v, want ErrNotFound", err)
	}
}

func TestDirectory_DocumentThatBypassedTheStore_LeavesTheLastGoodOne(t *testing.T) {
	js := natstest.Start(t).JetStream()
	s := openStore(t, js)
	put(t, s, &tenant.Document{ID: "demo", Name: "Good"})
	var log logBuffer
	d, eventually := watch(t, s, slog.New(slog.NewTextHandler(&log, nil)))
	kv, err := js.KeyValue(t.Context(), tenants.Bucket)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"not JSON": "{", "another tenant's": `{"id":"other","name":"Other"}`} {
		t.Run(name, func(t *testing.T) {
			before := log.count("refused")
			if _, err := kv.Put(t.Context(), "demo", []byte(text)); err != nil {
				t.Fatal(err)
			}
			eventually("a refusal in the log", func() bool { return log.count("refused") > before })
			if got, _ := d.Get("demo"); got == nil || got.Name != "Good" {
				t.Errorf("demo = %+v, want the last good one", got)
			}
			if _, err := s.Get(t.Context(), "demo"); err == nil || errors.Is(err, tenants.ErrNotFound) {
				t.Errorf("Get = %v, want an error about the document", err)
			}
		})
	}
}

// It takes the client 10 seconds to see that the bucket is gone.
func TestDirectory_BucketThatIsReplaced_IsFollowedAgain(t *testing.T) {
	t.Parallel()
	js := natstest.Start(t).JetStream()
	s := openStore(t, js)
	put(t, s, &tenant.Document{ID: "before"})
	d, eventually := watch(t, s, slog.New(slog.DiscardHandler))
	if err := js.DeleteKeyValue(t.Context(), tenants.Bucket); err != nil {
		t.Fatal(err)
	}
	eventually("not ready", func() bool { return d.Ready(t.Context()) != nil })
	s = openStore(t, js)
	put(t, s, &tenant.Document{ID: "after"})
	eventually("ready again", func() bool { return d.Ready(t.Context()) == nil })
	_, before := d.Get("before")
	_, after := d.Get("after")
	if before || !after {
		t.Errorf("before = %t, after = %t; want only what the bucket holds", before, after)
	}
	put(t, s, &tenant.Document{ID: "later"})
	eventually("a change of the new bucket", func() bool { _, ok := d.Get("later"); return ok })
}

func TestWatch_ContextDone_IsNoEmptyDirectory(t *testing.T) {
	s := openStore(t, natstest.Start(t).JetStream())
	put(t, s, &tenant.Document{ID: "demo"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Watch(ctx, slog.New(slog.DiscardHandler)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want context.Canceled", err)
	}
}

// logBuffer is a log that a test reads while others write it.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) count(word string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), word)
}

func TestExisting_NeverCreatesTheBucket(t *testing.T) {
	js := natstest.Start(t).JetStream()
	if _, err := tenants.Existing(t.Context(), js); !errors.Is(err, tenants.ErrNoBucket) {
		t.Errorf("err = %v, want ErrNoBucket", err)
	}
	if _, err := js.KeyValue(t.Context(), tenants.Bucket); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Errorf("the bucket after a look: %v, want none", err)
	}
}
