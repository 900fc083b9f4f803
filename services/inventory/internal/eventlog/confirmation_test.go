package eventlog

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"
	"pgregory.net/rapid"

	"forecourt.internal/contract"
)

func TestConfirmation_RoundTrips(t *testing.T) {
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	at := rapid.Custom(func(t *rapid.T) time.Time { return ofMicros(rapid.Int64Range(0, 4e15).Draw(t, "micros")) })
	rapid.Check(t, func(t *rapid.T) {
		want := Confirmation{
			ID: "c1", Tenant: "demo-toyota", AsOf: rapid.Uint64Range(1, 1<<53).Draw(t, "as of"), ObservedAt: at.Draw(t, "observed at"),
			Others: rapid.MapOf(rapid.StringMatching(`[A-Za-z0-9_-]{1,8}`), at).Draw(t, "others"), CorrelationID: "run-1",
		}
		if len(want.Others) == 0 {
			want.Others = nil
		}
		msg, err := want.msg()
		if err != nil {
			t.Fatal(err)
		}
		data, err := contract.DecodeJSON(msg.Data)
		if err != nil {
			t.Fatal(err)
		}
		if fault := check.Document("event-inventory-confirmed.schema.json", data); fault != nil {
			t.Fatalf("%s is not of the schema: %+v", msg.Data, fault.Problems)
		}
		if !IsConfirmation(msg.Subject) {
			t.Fatalf("%s is not the subject of confirmations", msg.Subject)
		}
		got, err := DecodeConfirmation(msg.Subject, msg.Header, msg.Data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestConfirmation_IsCompact(t *testing.T) {
	day := time.Date(2026, 5, 1, 4, 0, 0, 0, time.UTC)
	msg, err := Confirmation{ID: "c", Tenant: "t", AsOf: 9, ObservedAt: day, Others: map[string]time.Time{
		"b": day.Add(time.Second), "a": day.Add(time.Second), "never": {},
	}}.msg()
	if err != nil {
		t.Fatal(err)
	}
	want := `{"tenant":"t","as_of":9,"observed_at":"2026-05-01T04:00:00Z","others":[{"vehicle_ids":["never"]},` +
		`{"observed_at":"2026-05-01T04:00:01Z","vehicle_ids":["a","b"]}]}`
	if diff := cmp.Diff(want, string(msg.Data)); diff != "" {
		t.Error(diff)
	}
	wantHeader := nats.Header{
		"ce-specversion": {"1.0"}, "ce-id": {"c"}, "ce-type": {"forecourt.inventory.stock.confirmed.v1"}, "ce-source": {"/forecourt/inventory"},
		"ce-time": {"2026-05-01T04:00:01Z"}, "content-type": {"application/json"},
		"ce-dataschema": {"https://autoagentprotocol.org/v3.0/schemas/event-inventory-confirmed.schema.json"},
	}
	if diff := cmp.Diff(wantHeader, msg.Header); diff != "" || msg.Subject != "inventory.v1.t.~confirmed" {
		t.Errorf("%s: %s", msg.Subject, diff)
	}
}

func TestConfirmation_AtIsTheTimeOfAVehicleWithNoLaterEvent(t *testing.T) {
	rest, other := time.Unix(100, 0), time.Unix(50, 0)
	c := Confirmation{AsOf: 7, ObservedAt: rest, Others: map[string]time.Time{"other": other, "never": {}}}
	for _, k := range []struct {
		id   string
		seq  uint64
		want time.Time
	}{{"a", 7, rest}, {"a", 8, time.Time{}}, {"other", 1, other}, {"other", 8, time.Time{}}, {"never", 7, time.Time{}}} {
		if got := c.At(k.id, k.seq); !got.Equal(k.want) {
			t.Errorf("%s at %d: %s, want %s", k.id, k.seq, got, k.want)
		}
	}
	if got := (Confirmation{}).At("a", 1); !got.IsZero() {
		t.Errorf("no confirmation confirms at %s", got)
	}
}

func TestDecodeConfirmation_OtherMessagesAreInvalid(t *testing.T) {
	msg, err := Confirmation{ID: "c", Tenant: "t", AsOf: 9}.msg()
	if err != nil {
		t.Fatal(err)
	}
	otherType := nats.Header{"ce-specversion": {"1.0"}, "ce-id": {"c"}, "ce-source": {"s"}, "ce-type": {"forecourt.inventory.stock.counted.v1"}}
	for name, c := range map[string]struct {
		header nats.Header
		data   string
	}{
		"no CloudEvent":        {nil, string(msg.Data)},
		"another type":         {otherType, string(msg.Data)},
		"no JSON":              {msg.Header, `{"tenant":"t"`},
		"another tenant":       {msg.Header, `{"tenant":"u","as_of":9,"others":[]}`},
		"no as_of":             {msg.Header, `{"tenant":"t","others":[]}`},
		"negative as_of":       {msg.Header, `{"tenant":"t","as_of":-1,"others":[]}`},
		"two of a name":        {msg.Header, `{"tenant":"t","as_of":9,"as_of":9,"others":[]}`},
		"no time":              {msg.Header, `{"tenant":"t","as_of":9,"observed_at":"today","others":[]}`},
		"no time in the group": {msg.Header, `{"tenant":"t","as_of":9,"others":[{"observed_at":"today","vehicle_ids":["a"]}]}`},
	} {
		got, err := DecodeConfirmation(msg.Subject, c.header, []byte(c.data))
		if !errors.Is(err, ErrInvalid) || got.Tenant != "t" {
			t.Errorf("%s: tenant %q, err %v", name, got.Tenant, err)
		}
	}
}

func FuzzDecodeConfirmation(f *testing.F) {
	msg, err := Confirmation{ID: "c", Tenant: "t", AsOf: 9, ObservedAt: time.Unix(1, 0), Others: map[string]time.Time{"a": {}}}.msg()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(msg.Data)
	f.Add([]byte(`{"tenant":"t","as_of":1e3,"others":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := DecodeConfirmation(msg.Subject, msg.Header, data)
		if err != nil {
			return
		}
		again, err := c.msg()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := DecodeConfirmation(again.Subject, again.Header, again.Data); err != nil || back.AsOf != c.AsOf || len(back.Others) != len(c.Others) {
			t.Errorf("%q becomes %q, err %v", data, again.Data, err)
		}
	})
}
