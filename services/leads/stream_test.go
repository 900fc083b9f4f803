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
		Name: "LEADS", Subjects: []string{"lead.v1.*.*"}, Storage: jetstream.FileStorage,
		MaxAge: 400 * 24 * time.Hour, Duplicates: 72 * time.Hour, Replicas: 1,
	}
	compared := cmp.FilterPath(func(p cmp.Path) bool {
		switch p.Last().String() {
		case ".Name", ".Subjects", ".Storage", ".MaxAge", ".Duplicates", ".Replicas":
			return false
		}
		return len(p) == 2
	}, cmp.Ignore())
	if diff := cmp.Diff(want, got, compared, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if err := service.Ready(t.Context()); err != nil {
		t.Errorf("broker there: %v", err)
	}
	js.Conn().Close()
	if err := service.Ready(t.Context()); err == nil {
		t.Error("broker away, yet ready")
	}
}

func TestNew_RefusesAStreamThatBreaksThePromise(t *testing.T) {
	for name, test := range map[string]struct {
		storage jetstream.StorageType
		window  time.Duration
		says    string // "" when the stream is fine
	}{
		"longer window":  {jetstream.FileStorage, 96 * time.Hour, ""},
		"equal window":   {jetstream.FileStorage, 48 * time.Hour, ""},
		"shorter window": {jetstream.FileStorage, 48*time.Hour - time.Second, "duplicate window"},
		"in memory":      {jetstream.MemoryStorage, 48 * time.Hour, "file storage"},
	} {
		t.Run(name, func(t *testing.T) {
			js := natstest.Start(t).JetStream()
			if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{
				Name: "LEADS", Subjects: []string{"lead.v1.*.*"}, Storage: test.storage, Duplicates: test.window,
			}); err != nil {
				t.Fatal(err)
			}
			_, err := leads.New(t.Context(), leads.Config{JetStream: js, Retention: 48 * time.Hour})
			if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("err = %v, want one about %q", err, test.says)
			}
		})
	}
}
