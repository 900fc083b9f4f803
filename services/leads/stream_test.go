package leads_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/leads"
)

func TestNew_CreatesTheStreamAsDesigned(t *testing.T) {
	js := natstest.Start(t).JetStream()
	service, err := leads.New(t.Context(), leads.Config{JetStream: js})
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "LEADS")
	if err != nil {
		t.Fatal(err)
	}
	got := stream.CachedInfo().Config
	want := jetstream.StreamConfig{
		Name: "LEADS", Subjects: []string{"lead.v1.*.*", "appointment.v1.>"}, Storage: jetstream.FileStorage,
		MaxAge: 400 * 24 * time.Hour, Duplicates: 72 * time.Hour, Replicas: 1, AllowAtomicPublish: true,
	}
	compared := cmp.FilterPath(func(p cmp.Path) bool {
		switch p.Last().String() {
		case ".Name", ".Subjects", ".Storage", ".MaxAge", ".Duplicates", ".Replicas", ".AllowAtomicPublish":
			return false
		}
		return len(p) == 2
	}, cmp.Ignore())
	if diff := cmp.Diff(want, got, compared, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if err := service.Ready(t.Context()); err == nil {
		t.Error("ready, yet nothing of the stream has been read")
	}
}

func TestReady_FollowsTheBroker(t *testing.T) {
	w := newWorld(t)
	w.must(w.service.Ready(t.Context()))
	w.js.Conn().Close()
	if err := w.service.Ready(t.Context()); err == nil {
		t.Error("broker away, yet ready")
	}
}

func TestReady_StreamMadeAnew_OnlyWhenItHoldsWhatIsPromised(t *testing.T) {
	w := newWorld(t)
	stream, err := w.js.Stream(t.Context(), "LEADS")
	w.must(err)
	right := stream.CachedInfo().Config
	for _, test := range []struct {
		name   string
		change func(*jetstream.StreamConfig)
		ready  bool
	}{
		{"it forgets message ids early", func(c *jetstream.StreamConfig) { c.Duplicates = 2 * time.Minute }, false},
		{"it takes no batches", func(c *jetstream.StreamConfig) { c.AllowAtomicPublish = false }, false},
		{"it takes no days", func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.v1.*.*"} }, false},
		{"it is as it was", func(*jetstream.StreamConfig) {}, true},
	} {
		w.must(w.js.DeleteStream(t.Context(), "LEADS"))
		config := right
		test.change(&config)
		_, err := w.js.CreateStream(t.Context(), config)
		w.must(err)
		if err := w.service.Ready(t.Context()); (err == nil) != test.ready {
			t.Errorf("%s: ready = %v, want %v", test.name, err, test.ready)
		}
	}
}

func TestNew_RefusesAStreamThatBreaksThePromise(t *testing.T) {
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		change func(*jetstream.StreamConfig)
		says   string // "" when the stream is fine
	}{
		"as needed":         {func(*jetstream.StreamConfig) {}, ""},
		"longer window":     {func(c *jetstream.StreamConfig) { c.Duplicates = 96 * time.Hour }, ""},
		"shorter window":    {func(c *jetstream.StreamConfig) { c.Duplicates = 48*time.Hour - time.Second }, "duplicate window"},
		"in memory":         {func(c *jetstream.StreamConfig) { c.Storage = jetstream.MemoryStorage }, "file storage"},
		"kept for ever":     {func(c *jetstream.StreamConfig) { c.MaxAge = 0 }, ""},
		"kept for longer":   {func(c *jetstream.StreamConfig) { c.MaxAge = 500 * day }, ""},
		"kept for an hour":  {func(c *jetstream.StreamConfig) { c.MaxAge, c.Duplicates = time.Hour, time.Hour }, "maximum age"},
		"kept for 399 days": {func(c *jetstream.StreamConfig) { c.MaxAge = 399 * day }, "maximum age"},
		"more subjects":     {func(c *jetstream.StreamConfig) { c.Subjects = []string{"crm.>", "lead.>"} }, ""},
		"other wildcards":   {func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.*.*.>"} }, ""},
		"no events":         {func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.v1.*"} }, "lead.v1.*.*"},
		"longer subjects":   {func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.v1.*.*.>"} }, "lead.v1.*.*"},
		"one tenant":        {func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.v1.demo-toyota.>"} }, "lead.v1.*.*"},
		"as for a queue":    {func(c *jetstream.StreamConfig) { c.Retention = jetstream.WorkQueuePolicy }, "retention policy"},
		"last per subject":  {func(c *jetstream.StreamConfig) { c.MaxMsgsPerSubject = 1 }, "when it is full"},
		"a few messages":    {func(c *jetstream.StreamConfig) { c.MaxMsgs = 1000 }, "when it is full"},
		"a few bytes":       {func(c *jetstream.StreamConfig) { c.MaxBytes = 1 << 30 }, "when it is full"},
		"full at some size": {func(c *jetstream.StreamConfig) { c.MaxBytes, c.Discard = 1<<30, jetstream.DiscardNew }, ""},
		"one event":         {func(c *jetstream.StreamConfig) { c.Subjects = []string{"lead.v1.*.submitted"} }, "lead.v1.*.*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			js := natstest.Start(t).JetStream()
			cfg := jetstream.StreamConfig{
				Name: "LEADS", Subjects: []string{"lead.v1.*.*"}, Storage: jetstream.FileStorage, MaxAge: 400 * day, Duplicates: 48 * time.Hour,
			}
			test.change(&cfg)
			if _, err := js.CreateStream(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			_, err := leads.New(t.Context(), leads.Config{JetStream: js, Retention: 48 * time.Hour})
			if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("err = %v, want one about %q", err, test.says)
			}
		})
	}
}

func TestNew_AStreamOfAnEarlierVersion_TakesAppointments(t *testing.T) {
	for name, subjects := range map[string][]string{
		"without them":   {"lead.v1.*.*"},
		"with them":      {"lead.v1.*.*", "appointment.v1.>"},
		"with many more": {"lead.>", "appointment.>"},
	} {
		t.Run(name, func(t *testing.T) {
			js := natstest.Start(t).JetStream()
			cfg := jetstream.StreamConfig{
				Name: "LEADS", Subjects: subjects, Storage: jetstream.FileStorage, Duplicates: 96 * time.Hour, MaxConsumers: 77,
			}
			if _, err := js.CreateStream(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			if _, err := leads.New(t.Context(), leads.Config{JetStream: js}); err != nil {
				t.Fatal(err)
			}
			stream, err := js.Stream(t.Context(), "LEADS")
			if err != nil {
				t.Fatal(err)
			}
			got := stream.CachedInfo().Config
			if !got.AllowAtomicPublish || got.Duplicates != 96*time.Hour || got.MaxConsumers != 77 {
				t.Errorf("config = %+v, want atomic batches and the rest as it was", got)
			}
			for _, subject := range []string{"lead.v1.t.submitted", "appointment.v1.t.main.sales.2026-05-04"} {
				if _, err := js.Publish(t.Context(), subject, nil); err != nil {
					t.Errorf("%s: %v", subject, err)
				}
			}
		})
	}
}

func TestNew_RefusesAStreamWithFewerReplicas(t *testing.T) {
	js := natstest.Start(t).JetStream()
	if _, err := leads.New(t.Context(), leads.Config{JetStream: js}); err != nil {
		t.Fatal(err)
	}
	_, err := leads.New(t.Context(), leads.Config{JetStream: js, Replicas: 3})
	if err == nil || !strings.Contains(err.Error(), "1 replicas, but 3 are configured") {
		t.Errorf("err = %v, want one about the replicas", err)
	}
}

func TestNew_RefusesRetentionBelowADay(t *testing.T) {
	for retention, ok := range map[time.Duration]bool{
		0: true, 24 * time.Hour: true, 24*time.Hour - 1: false, -time.Hour: false,
	} {
		_, err := leads.New(t.Context(), leads.Config{JetStream: natstest.Start(t).JetStream(), Retention: retention})
		if (err == nil) != ok {
			t.Errorf("retention %s: err = %v, want ok = %v", retention, err, ok)
		}
	}
}
