package domain_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt.internal/contract"
	"forecourt.internal/services/leads/internal/domain"
)

func fingerprint(t *testing.T, request string) domain.Fingerprint {
	t.Helper()
	cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(request))
	if err != nil {
		t.Fatalf("%s: %v", request, err)
	}
	return cmd.Fingerprint
}

func TestFingerprint_OfTheSamePayload(t *testing.T) {
	want := fingerprint(t, `{"idempotency_key":"k","a":{"x":1,"y":[true,null]},"b":"é <b>"}`)
	for name, request := range map[string]string{
		"another key":        `{"idempotency_key":"other","a":{"x":1,"y":[true,null]},"b":"é <b>"}`,
		"another time":       `{"submitted_at":"2026-04-30T11:05:09Z","idempotency_key":"k","a":{"x":1,"y":[true,null]},"b":"é <b>"}`,
		"members turned":     `{"b":"é <b>","a":{"y":[true,null],"x":1},"idempotency_key":"k"}`,
		"white space":        "{ \"idempotency_key\" : \"k\",\n\"a\":{\"x\":1,\"y\":[true, null]},\"b\":\"é <b>\"}\n",
		"number respelled":   `{"idempotency_key":"k","a":{"x":1.0e0,"y":[true,null]},"b":"é <b>"}`,
		"characters escaped": `{"idempotency_key":"k","a":{"x":1,"y":[true,null]},"b":"\u00e9 \u003cb\u003e"}`,
	} {
		if got := fingerprint(t, request); got != want {
			t.Errorf("%s: fingerprint %s, want %s", name, got, want)
		}
	}
}

func TestFingerprint_OfAnotherPayload(t *testing.T) {
	seen := map[domain.Fingerprint]string{}
	for _, request := range []string{
		`{"idempotency_key":"k"}`,
		`{"idempotency_key":"k","a":1}`,
		`{"idempotency_key":"k","a":"1"}`,
		`{"idempotency_key":"k","a":null}`,
		`{"idempotency_key":"k","a":[1,2]}`,
		`{"idempotency_key":"k","a":[2,1]}`,
		`{"idempotency_key":"k","A":1}`,
		`{"idempotency_key":"k","a":{"submitted_at":"2026-04-30T11:05:09Z"}}`, // only the request's own is left out
		`{"idempotency_key":"k","a":{"submitted_at":"2026-04-30T11:05:10Z"}}`,
		`{"idempotency_key":"k","a":{"idempotency_key":"k"}}`,
		`{"idempotency_key":"k","Submitted_at":"2026-04-30T11:05:10Z"}`,
	} {
		f := fingerprint(t, request)
		if other, again := seen[f]; again {
			t.Errorf("%s and %s share a fingerprint", request, other)
		}
		seen[f] = request
	}
}

// The fingerprint is in stored rows and events: it must not change between releases.
func TestFingerprint_StaysTheSame(t *testing.T) {
	got := fingerprint(t, `{"idempotency_key":"k","b":2,"a":1}`).String()
	if want := "43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777"; got != want { // of {"a":1,"b":2}
		t.Errorf("fingerprint = %s, want %s", got, want)
	}
	if parsed, err := domain.ParseFingerprint(got); err != nil || parsed.String() != got {
		t.Errorf("parsed = %s, err = %v", parsed, err)
	}
	for _, bad := range []string{"", "4325", got + "00", strings.Repeat("g", 64)} {
		if _, err := domain.ParseFingerprint(bad); err == nil {
			t.Errorf("%q was taken for a fingerprint", bad)
		}
	}
}

// FuzzNewCommand: any bytes give a command or a correctable error that quotes nothing of them.
func FuzzNewCommand(f *testing.F) {
	for _, seed := range []string{
		`{"idempotency_key":"k"}`, `{"idempotency_key":"k","n":1e999}`, `{"idempotency_key":"k","n":123456789012345678901234567890}`,
		`{"idempotency_key":"k","s":"\ud800"}`, `{"idempotency_key":1}`, `[]`, ``, "\xff", `{"idempotency_key":"k","appointment":[]}`,
		`{"idempotency_key":"k","n":-0.0,"m":5e-324}`, `{"idempotency_key":"k","vehicle_of_interest":{"vin":1}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		cmd, err := domain.NewCommand("demo-toyota", "public|a", request)
		if err == nil {
			cmd.Vehicle()
			return
		}
		var fault *contract.Error
		if !errors.As(err, &fault) || len(fault.Problems) != 1 || fault.Problems[0].Correction == "" {
			t.Errorf("err = %v, want one problem with a correction", err)
		}
	})
}
