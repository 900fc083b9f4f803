package cursor_test

import (
	"encoding/base64"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"forecourt.internal/platform/natstest"
	"forecourt.internal/services/inventory/internal/cursor"
	"forecourt.internal/services/inventory/internal/index"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func codec(now *time.Time) *cursor.Codec {
	return cursor.NewCodec([]byte("0123456789abcdef0123456789abcdef"), 15*time.Minute, func() time.Time { return *now })
}

func bind(t testing.TB, tenant string, f index.Filters, s index.Sort) cursor.Binding {
	t.Helper()
	b, err := cursor.Bind(tenant, f, s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCursor_ReturnsThePosition(t *testing.T) {
	now := start
	c, b := codec(&now), bind(t, "t", index.Filters{}, index.Sort{})
	rapid.Check(t, func(t *rapid.T) {
		want := index.Position{
			Missing: rapid.Bool().Draw(t, "missing"),
			Number:  rapid.Float64().Filter(func(f float64) bool { return !math.IsNaN(f) }).Draw(t, "number"),
			Text:    rapid.String().Draw(t, "text"), VehicleID: rapid.String().Draw(t, "id"),
		}
		got, err := c.Decode(b, c.Encode(b, want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCursor_AnyChangeOfItsBytesIsInvalid(t *testing.T) {
	now := start
	c, b := codec(&now), bind(t, "t", index.Filters{}, index.Sort{})
	genuine, _ := base64.RawURLEncoding.DecodeString(c.Encode(b, index.Position{Number: 33985, VehicleID: "veh_4711"}))
	for i := range genuine {
		forged := append([]byte(nil), genuine...)
		forged[i] ^= 1
		if _, err := c.Decode(b, base64.RawURLEncoding.EncodeToString(forged)); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if _, err := c.Decode(b, base64.RawURLEncoding.EncodeToString(genuine[:i])); !errors.Is(err, cursor.ErrInvalid) {
			t.Errorf("cut at %d: %v", i, err)
		}
	}
}

func TestCursor_WithACharacterOutsideItsAlphabetIsInvalid(t *testing.T) {
	now := start
	c, b := codec(&now), bind(t, "t", index.Filters{}, index.Sort{})
	genuine := c.Encode(b, index.Position{Number: 33985, VehicleID: "veh_4711"})
	for _, other := range []string{"\n", "\r", "\r\n", " ", "\t", "=", "+", "/", ".", "\x00", "é"} {
		for at := range len(genuine) + 1 {
			if _, err := c.Decode(b, genuine[:at]+other+genuine[at:]); !errors.Is(err, cursor.ErrInvalid) {
				t.Errorf("%q at %d: %v", other, at, err)
			}
		}
	}
}

func TestCursor_BelongsToOneTenantFiltersAndSort(t *testing.T) {
	now := start
	c := codec(&now)
	low, high := 1.0, 2.0
	makes := func(names ...string) index.Filters {
		return index.Filters{Terms: map[index.Term][]string{index.Make: names}}
	}
	prices := func(r index.Range) index.Filters {
		return index.Filters{Ranges: map[index.Number]index.Range{index.Price: r}}
	}
	near := func(radius float64) index.Filters { return index.Filters{Near: &index.Near{RadiusMi: radius}} }
	searches := map[string]cursor.Binding{
		"all":             bind(t, "t", index.Filters{}, index.Sort{}),
		"other tenant":    bind(t, "u", index.Filters{}, index.Sort{}),
		"sort":            bind(t, "t", index.Filters{}, index.Sort{Field: "price"}),
		"sort descending": bind(t, "t", index.Filters{}, index.Sort{Field: "price", Descending: true}),
		"make":            bind(t, "t", makes("Kia"), index.Sort{}),
		"makes":           bind(t, "t", makes("Kia", "Audi"), index.Sort{}),
		"model":           bind(t, "t", index.Filters{Terms: map[index.Term][]string{index.Model: {"Kia"}}}, index.Sort{}),
		"min":             bind(t, "t", prices(index.Range{Min: &low}), index.Sort{}),
		"max":             bind(t, "t", prices(index.Range{Max: &low}), index.Sort{}),
		"other max":       bind(t, "t", prices(index.Range{Max: &high}), index.Sort{}),
		"query":           bind(t, "t", index.Filters{Query: "red"}, index.Sort{}),
		"near":            bind(t, "t", near(10), index.Sort{}),
		"nearer":          bind(t, "t", near(5), index.Sort{}),
	}
	for of, b := range searches {
		made := c.Encode(b, index.Position{VehicleID: "v"})
		for at, other := range searches {
			_, err := c.Decode(other, made)
			if of == at && err != nil || of != at && !errors.Is(err, cursor.ErrInvalid) {
				t.Errorf("cursor of %q used with %q: %v", of, at, err)
			}
		}
	}
}

func TestCursor_Expires(t *testing.T) {
	now := start
	c, b := codec(&now), bind(t, "t", index.Filters{}, index.Sort{})
	made := c.Encode(b, index.Position{VehicleID: "v"})
	now = start.Add(15*time.Minute - time.Second)
	if _, err := c.Decode(b, made); err != nil {
		t.Errorf("before its end: %v", err)
	}
	now = start.Add(15 * time.Minute)
	if _, err := c.Decode(b, made); !errors.Is(err, cursor.ErrExpired) {
		t.Errorf("at its end: %v", err)
	}
}

func TestCursor_IsSmall(t *testing.T) {
	now := start
	c, b := codec(&now), bind(t, "t", index.Filters{}, index.Sort{Field: "price"})
	if made := c.Encode(b, index.Position{Number: 33985, VehicleID: "veh_abcdefghijklmnop"}); len(made) > 80 {
		t.Errorf("%d characters", len(made))
	}
}

func TestKey_IsOneForAllReplicasAndRestarts(t *testing.T) {
	broker := natstest.Start(t)
	keys := make(chan []byte)
	for range 4 {
		js := broker.JetStream()
		go func() {
			key, err := cursor.Key(t.Context(), js)
			if err != nil {
				t.Error(err)
			}
			keys <- key
		}()
	}
	first := <-keys
	for range 3 {
		if diff := cmp.Diff(first, <-keys); diff != "" {
			t.Error("two replicas have different keys")
		}
	}
	broker.Restart()
	again, err := cursor.Key(t.Context(), broker.JetStream())
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 32 || cmp.Diff(first, again) != "" {
		t.Error("the key did not survive the restart")
	}
}

func FuzzDecode(f *testing.F) {
	now := start
	c := codec(&now)
	b, err := cursor.Bind("t", index.Filters{}, index.Sort{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("")
	f.Add("eyJ2IjoxfQ.c2ln")
	f.Add(c.Encode(b, index.Position{Missing: true, VehicleID: "v"}))
	f.Add(c.Encode(b, index.Position{VehicleID: "v"}) + "\n")
	f.Add(c.Encode(b, index.Position{Number: 1, Text: "kia", VehicleID: "v"}))
	f.Fuzz(func(t *testing.T, text string) {
		at, err := c.Decode(b, text)
		if err != nil {
			return
		}
		if again := c.Encode(b, at); again != text {
			t.Errorf("accepted %q, which is not what was made", text)
		}
	})
}
