package streams_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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

func TestAllowBatches_OfAnExistingStream(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*jetstream.StreamConfig)
		want   bool
	}{
		"of an earlier version": {func(*jetstream.StreamConfig) {}, true},
		"that takes them":       {func(cfg *jetstream.StreamConfig) { cfg.AllowAtomicPublish = true }, true},
		"that cannot":           {func(cfg *jetstream.StreamConfig) { cfg.PersistMode = jetstream.AsyncPersistMode }, false},
	} {
		t.Run(name, func(t *testing.T) {
			js := natstest.Start(t).JetStream()
			cfg := jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}, MaxAge: time.Hour, MaxMsgsPerSubject: 7}
			c.change(&cfg)
			if _, err := js.CreateStream(t.Context(), cfg); err != nil {
				t.Fatal(err)
			}
			stream, err := streams.Open(t.Context(), js, jetstream.StreamConfig{Name: "S"})
			if err != nil {
				t.Fatal(err)
			}
			before := stream.CachedInfo().Config
			stream, got := streams.AllowBatches(t.Context(), js, stream)
			if got != c.want {
				t.Errorf("batches = %t, want %t", got, c.want)
			}
			after, err := js.Stream(t.Context(), "S")
			if err != nil {
				t.Fatal(err)
			}
			now := after.CachedInfo().Config
			before.AllowAtomicPublish, now.Metadata = c.want, before.Metadata // the broker notes its version there
			if diff := cmp.Diff(before, now); diff != "" || stream.CachedInfo().Config.AllowAtomicPublish != c.want {
				t.Error(diff)
			}
		})
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

func TestOpen_ProcessesThatStartTogether_AllGetTheStreamWithItsReplicas(t *testing.T) {
	for name, c := range map[string]struct {
		js       func() jetstream.JetStream
		replicas int
	}{
		"one server": {func() jetstream.JetStream { return natstest.Start(t).JetStream() }, 1},
		"a cluster":  {func() jetstream.JetStream { return natstest.Cluster(t) }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			js := streams.Replicated(c.js(), c.replicas)
			results := make(chan error)
			for range 8 {
				go func() {
					_, err := streams.Open(t.Context(), js, jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}})
					results <- err
				}()
				go func() {
					_, err := streams.OpenBucket(t.Context(), js, jetstream.KeyValueConfig{Bucket: "B"})
					results <- err
				}()
			}
			for range 16 {
				if err := <-results; err != nil {
					t.Error(err)
				}
			}
			for _, stream := range []string{"S", "KV_B"} {
				s, err := js.Stream(t.Context(), stream)
				if err != nil {
					t.Fatal(err)
				}
				if got := s.CachedInfo().Config.Replicas; got != c.replicas {
					t.Errorf("%s has %d replicas, want %d", stream, got, c.replicas)
				}
			}
		})
	}
}

func TestOpen_WhatTheServerCannotDo_IsToldAtOnce(t *testing.T) {
	js := streams.Replicated(natstest.Start(t).JetStream(), 3)
	began := time.Now()
	_, err := streams.Open(t.Context(), js, jetstream.StreamConfig{Name: "S", Subjects: []string{"s.>"}})
	if took := time.Since(began); err == nil || took > 5*time.Second {
		t.Errorf("err = %v after %s, want one without waiting: a server alone keeps no replicas", err, took)
	}
}

func TestIsWrongLast_TellsALostRaceFromOtherFailures(t *testing.T) {
	js := natstest.Start(t).JetStream()
	bucket, err := streams.OpenBucket(t.Context(), js, jetstream.KeyValueConfig{Bucket: "B"})
	if err != nil {
		t.Fatal(err)
	}
	revision, err := bucket.Create(t.Context(), "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, created := bucket.Create(t.Context(), "k", nil)
	_, updated := bucket.Update(t.Context(), "k", nil, revision+1)
	_, absent := bucket.Get(t.Context(), "other")
	for name, c := range map[string]struct {
		err  error
		want bool
	}{"create": {created, true}, "update": {updated, true}, "another failure": {absent, false}, "none": {nil, false}} {
		if got := streams.IsWrongLast(c.err); got != c.want {
			t.Errorf("%s (%v): %t, want %t", name, c.err, got, c.want)
		}
	}
}
