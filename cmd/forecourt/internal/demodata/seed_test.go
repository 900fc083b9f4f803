package demodata

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go/jetstream"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
)

var quiet = slog.New(slog.DiscardHandler)

// lastMessages returns the last sequence of each stream.
func lastMessages(t *testing.T, js jetstream.JetStream) map[string]uint64 {
	t.Helper()
	counts := map[string]uint64{}
	streams := js.ListStreams(t.Context())
	for info := range streams.Info() {
		counts[info.Config.Name] = info.State.LastSeq
	}
	if err := streams.Err(); err != nil {
		t.Fatal(err)
	}
	return counts
}

func seed(t *testing.T, js jetstream.JetStream) {
	t.Helper()
	if err := Seed(t.Context(), js, quiet); err != nil {
		t.Fatal(err)
	}
}

func TestSeed_CutShort_IsCompletedByTheNext(t *testing.T) {
	whole := natstest.Start(t).JetStream()
	seed(t, whole)

	js := natstest.Start(t).JetStream()
	doc, err := parse()
	if err != nil {
		t.Fatal(err)
	}
	if err := load(t.Context(), js, quiet, doc, feeds[0]); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Seed(ctx, js, quiet); err == nil {
		t.Fatal("a seed with a dead context says that it is done")
	}
	seed(t, js)
	if diff := cmp.Diff(vehicleEvents(t, whole), vehicleEvents(t, js)); diff != "" {
		t.Errorf("events by subject:\n%s", diff)
	}
}

// vehicleEvents counts the events of each vehicle. The second seed also confirms what the first one stored, which is no event of any.
func vehicleEvents(t *testing.T, js jetstream.JetStream) map[string]uint64 {
	t.Helper()
	stream, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter("inventory.v1.*.*"))
	if err != nil {
		t.Fatal(err)
	}
	delete(info.State.Subjects, "inventory.v1."+Tenant+".~confirmed")
	return info.State.Subjects
}

func TestSeed_LeavesWhatPeopleChanged(t *testing.T) {
	js := natstest.Start(t).JetStream()
	seed(t, js)
	store, err := tenants.Open(t.Context(), js)
	if err != nil {
		t.Fatal(err)
	}
	want := &tenant.Document{ID: Tenant, Name: "Renamed"}
	if err := store.Put(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	before := lastMessages(t, js)
	seed(t, js)
	if diff := cmp.Diff(before, lastMessages(t, js)); diff != "" {
		t.Errorf("last sequence by stream:\n%s", diff)
	}
	got, err := store.Get(t.Context(), Tenant)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSeed_EventsShareOneCorrelationID(t *testing.T) {
	js := natstest.Start(t).JetStream()
	seed(t, js)
	stream, err := js.Stream(t.Context(), "INVENTORY")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string // of the first event of the first feed and the last one of the last
	for _, seq := range []uint64{1, stream.CachedInfo().State.LastSeq} {
		msg, err := stream.GetMsg(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, msg.Header.Get("correlation-id"))
	}
	if ids[0] == "" || ids[0] != ids[1] {
		t.Errorf("correlation ids = %q", ids)
	}
}

// vins reads the VIN of every vehicle in the files.
func vins(t *testing.T) []string {
	t.Helper()
	text, err := files.ReadFile("oakland.json")
	if err != nil {
		t.Fatal(err)
	}
	var vehicles []struct{ VIN string }
	if err := json.Unmarshal(text, &vehicles); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range vehicles {
		all = append(all, v.VIN)
	}
	if text, err = files.ReadFile("san-francisco.csv"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		all = append(all, row[2])
	}
	return all
}

func TestFiles_VINsAreDistinctAndHaveTheirCheckDigit(t *testing.T) {
	const letters, values = "ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789"
	weights := []int{8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2} // 49 CFR 565.15(c)
	seen := map[string]bool{}
	for _, vin := range vins(t) {
		if seen[vin] {
			t.Errorf("%s comes twice", vin)
		}
		seen[vin] = true
		sum := 0
		for i, c := range vin {
			value := int(c - '0')
			if at := strings.IndexRune(letters, c); at >= 0 {
				value = int(values[at] - '0')
			}
			sum += value * weights[i]
		}
		if want := "0123456789X"[sum%11]; vin[8] != want {
			t.Errorf("%s: check digit %c, want %c", vin, vin[8], want)
		}
	}
	if len(seen) < 200 {
		t.Errorf("%d vehicles, want about 200", len(seen))
	}
}
