package contract

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecodeJSON_KeepsNumbersAndCase(t *testing.T) {
	got := decode(t, `{"a":[1,2.50,1e3,-0],"A":{"b":null,"c":true,"d":"\u00e9\"x"},"e":[],"f":{}}`)
	want := map[string]any{
		"a": []any{json.Number("1"), json.Number("2.50"), json.Number("1e3"), json.Number("-0")},
		"A": map[string]any{"b": nil, "c": true, "d": "é\"x"},
		"e": []any{}, "f": map[string]any{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeJSON_RefusesAmbiguousAndBrokenInput(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"duplicate member":         {`{"vin":"secret","vin":"b"}`, "same name"},
		"duplicate when unescaped": {`{"vin":1,"v\u0069n":2}`, "same name"},
		"nested duplicate":         {`{"a":[{"x":1,"x":1}]}`, "same name"},
		"nothing":                  {``, "ends early"},
		"cut off":                  {`{"a":[1,`, "ends early"},
		"two values":               {`{} {}`, "more than one value"},
		"trailing bytes":           {`{}secret`, "more than one value"},
		"syntax":                   {`{"a":secret}`, "syntax"},
		"leading zero":             {`01`, "more than one value"},
		"invalid UTF-8":            {"\"secret\xff\"", "syntax"},
		"lone surrogate":           {`"\ud800"`, "syntax"},
		"too deep":                 {strings.Repeat("[", 20000), "syntax"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeJSON([]byte(tt.in))
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("error = %v, want one with %q and no value", err, tt.want)
			}
		})
	}
}

func TestInt64_IsTheIntegerOfJSONSchema(t *testing.T) {
	tests := map[json.Number]struct {
		value int64
		ok    bool
	}{
		"0": {0, true}, "-7": {-7, true}, "3.0": {3, true}, "1e3": {1000, true}, "12.5e1": {125, true},
		"9223372036854775807": {math.MaxInt64, true}, "9223372036854775808": {math.MaxInt64, true},
		"-1e30": {math.MinInt64, true}, "1e300": {math.MaxInt64, true},
		"1.5": {}, "1e-3": {}, "1e999999999": {}, "": {}, "x": {},
	}
	for n, want := range tests {
		if value, ok := Int64(n); value != want.value || ok != want.ok {
			t.Errorf("Int64(%q) = %d, %v; want %d, %v", n, value, ok, want.value, want.ok)
		}
	}
}

func TestParseTime_TakesWhatRFC3339Allows(t *testing.T) {
	utc := func(h, m, s, ns int) time.Time { return time.Date(2026, 5, 3, h, m, s, ns, time.UTC) }
	tests := map[string]time.Time{
		"2026-05-03T11:00:00Z":         utc(11, 0, 0, 0),
		"2026-05-03t11:00:00z":         utc(11, 0, 0, 0),
		"2026-05-03T11:00:00.25-07:00": utc(18, 0, 0, 250_000_000),
		"2026-05-03T23:59:60Z":         utc(24, 0, 0, 0),
		"2026-05-03T16:59:60-07:00":    utc(24, 0, 0, 0),
		"2026-05-03T11:00:00":          {},
		"2026-05-03 11:00:00Z":         {},
		"2026-05-03T11:00:60Z":         {},
		"2026-05-03T11:00Z":            {},
		"2026-05-03T11:00:00,5Z":       {},
		"2026-05-03T11:00:00-0700":     {},
		"2026-02-30T11:00:00Z":         {},
		"2026-05-03T24:00:00Z":         {},
		"2026-05-03T+1:00:00Z":         {},
		"2026-05-03":                   {},
		"":                             {},
	}
	for in, want := range tests {
		got, ok := ParseTime(in)
		if ok != !want.IsZero() || !got.Equal(want) {
			t.Errorf("ParseTime(%q) = %v, %v; want %v", in, got, ok, want)
		}
	}
}
