package eventlog

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/contract"
)

const state = `{"vehicle_id":"v1","make":"Kia","price":9000,"updated_at":"2026-04-30T08:42:00Z"}`

func event1() Event {
	return Event{
		ID: "01JT3F6Q5X", Kind: Updated, Tenant: "demo-toyota", VehicleID: "v1", Source: "feed:provider",
		ObservedAt: time.Date(2026, 4, 30, 8, 41, 0, 123456000, time.UTC), State: []byte(state), CorrelationID: "c1",
	}
}

func TestEvent_SurvivesTheStream(t *testing.T) {
	for name, change := range map[string]func(*Event){
		"as usual":                   func(*Event) {},
		"delisted, no correlation":   func(e *Event) { e.Kind, e.CorrelationID = Delisted, "" },
		"a source with quotes":       func(e *Event) { e.Source = `feed:"é"\` },
		"a state with a huge number": func(e *Event) { e.State = []byte(`{"vehicle_id":"v1","x":1e300}`) },
	} {
		t.Run(name, func(t *testing.T) {
			want := event1()
			change(&want)
			msg, err := want.msg()
			if err != nil {
				t.Fatal(err)
			}
			got, err := Decode(msg.Subject, msg.Header, msg.Data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvent_DataIsValidAgainstItsSchema(t *testing.T) {
	check, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	msg, err := event1().msg()
	if err != nil {
		t.Fatal(err)
	}
	data, err := contract.DecodeJSON(msg.Data)
	if err != nil {
		t.Fatal(err)
	}
	if err := check.Document("event-inventory-vehicle.schema.json", data); err != nil {
		t.Error(err)
	}
}

func TestEvent_OfAnImport_IsReadWithoutATree(t *testing.T) {
	msg, err := event1().msg()
	if err != nil {
		t.Fatal(err)
	}
	if e := (Event{Tenant: "demo-toyota", VehicleID: "v1"}); !e.decodeOwn(msg.Data) {
		t.Error("the slow path is taken")
	}
}

// agreeOnData fails unless data that is taken as the package's own is read in the same way as any other.
func agreeOnData(t interface {
	Errorf(format string, args ...any)
}, vehicleID string, data []byte) {
	own, subject := Event{Tenant: "demo-toyota", VehicleID: vehicleID}, Event{Tenant: "demo-toyota", VehicleID: vehicleID}
	if !own.decodeOwn(data) {
		if diff := cmp.Diff(subject, own); diff != "" {
			t.Errorf("what is not taken is changed: %s", diff)
		}
		return
	}
	anyway, err := subject.decodeAny(data)
	if err != nil {
		t.Errorf("%s is taken; the slow path says %v", data, err)
		return
	}
	if diff := cmp.Diff(anyway, own); diff != "" {
		t.Errorf("%s (-any +own)\n%s", data, diff)
	}
}

func TestDecode_OwnDataIsReadLikeAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := event1()
		e.VehicleID = rapid.SampledFrom([]string{"v1", `a"b`, `\`, "é", ""}).Draw(t, "vehicle")
		id, _ := json.Marshal(e.VehicleID)
		e.Source = rapid.SampledFrom([]string{"feed:x", `"`, "", "\n", "é"}).Draw(t, "source")
		e.State = rapid.SampledFrom([][]byte{
			[]byte(state), []byte(`{"vehicle_id":` + string(id) + `}`), []byte(`{"vehicle_id":"v1" }`), []byte(`{"vehicle_id":"v1"},"x":{}`),
			[]byte(`null`), []byte(``),
		}).Draw(t, "state")
		msg, err := e.msg()
		if err != nil {
			t.Fatal(err)
		}
		data := msg.Data
		if rapid.Bool().Draw(t, "spoil") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		agreeOnData(t, e.VehicleID, data)
	})
}

func TestDecode_RefusesAnotherVehicle(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"of another tenant": func(data string) string { return strings.Replace(data, "demo-toyota", "demo-lexus", 1) },
		"another id":        func(data string) string { return strings.Replace(data, `"v1"`, `"v2"`, 1) },
		"another state": func(data string) string {
			return strings.Replace(data, `{"vehicle_id":"v1","make"`, `{"vehicle_id":"v2","make"`, 1)
		},
		"no state":  func(data string) string { return strings.Replace(data, state, "null", 1) },
		"no time":   func(data string) string { return strings.Replace(data, "2026-04-30T08:41", "today", 1) },
		"no source": func(data string) string { return strings.Replace(data, "feed:provider", "", 1) },
		"cut off":   func(data string) string { return data[:len(data)-1] },
	} {
		t.Run(name, func(t *testing.T) {
			msg, err := event1().msg()
			if err != nil {
				t.Fatal(err)
			}
			data := change(string(msg.Data))
			if data == string(msg.Data) {
				t.Fatal("nothing was changed")
			}
			e, err := Decode(msg.Subject, msg.Header, []byte(data))
			if !errors.Is(err, ErrInvalid) || e.Tenant != "demo-toyota" || e.VehicleID != "v1" {
				t.Errorf("%+v, %v; want ErrInvalid and the subject's names", e, err)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	msg, err := event1().msg()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(msg.Data)
	f.Add([]byte(`{"vehicle":` + state + `,"vehicle_id":"v1","tenant":"demo-toyota","source":"s","observed_at":"2026-04-30T08:41:00Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) { agreeOnData(t, "v1", data) })
}

func BenchmarkDecode(b *testing.B) {
	msg, err := event1().msg()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(msg.Subject, msg.Header, msg.Data); err != nil {
			b.Fatal(err)
		}
	}
}
