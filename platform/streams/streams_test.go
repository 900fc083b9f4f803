package streams_test

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/streams"
)

func TestOpen_KeepsWhatTheOperatorConfigured(t *testing.T) {
	js := natstest.Start(t).JetStream()
	operators := jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}, MaxAge: time.Hour}
	if _, err := js.CreateStream(t.Context(), operators); err != nil {
		t.Fatal(err)
	}
	stream, err := streams.Open(t.Context(), js, jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}, MaxAge: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if got := stream.CachedInfo().Config.MaxAge; got != time.Hour {
		t.Errorf("max age = %s, want the operator's 1h", got)
	}
}

func TestOpenBucket_KeepsWhatTheOperatorConfigured(t *testing.T) {
	js := natstest.Start(t).JetStream()
	if _, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "B", History: 5}); err != nil {
		t.Fatal(err)
	}
	bucket, err := streams.OpenBucket(t.Context(), js, jetstream.KeyValueConfig{Bucket: "B", History: 1})
	if err != nil {
		t.Fatal(err)
	}
	status, err := bucket.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := status.History(); got != 5 {
		t.Errorf("history = %d, want the operator's 5", got)
	}
}

func TestOpen_ReplicasThatStartTogether_AllGetTheStream(t *testing.T) {
	js := natstest.Start(t).JetStream()
	results := make(chan error)
	for range 8 {
		go func() {
			_, err := streams.Open(t.Context(), js, jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}})
			results <- err
		}()
	}
	for range 8 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
