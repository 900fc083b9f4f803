package domain_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"forecourt.internal/services/leads/internal/domain"
)

func TestWish_OfTheRequest(t *testing.T) {
	at := time.Date(2026, 5, 3, 18, 0, 0, 0, time.UTC)
	for request, want := range map[string]*domain.Wish{
		`{}`:                 nil,
		`{"appointment":{}}`: {},
		`{"appointment":{"appointment_type":"service"}}`: {Type: "service"},
		`{"appointment":{"appointment_type":"sales","appointment_at":"2026-05-03T11:00:00-07:00","duration_minutes":45}}`: {
			Type: "sales", At: at, Duration: 45 * time.Minute,
		},
		`{"appointment":{"duration_minutes":1.2e2}}`:                {Duration: 2 * time.Hour},
		`{"appointment":{"duration_minutes":9223372036854775807}}`:  {Duration: 48 * time.Hour},
		`{"appointment":{"duration_minutes":1e300}}`:                {Duration: 48 * time.Hour},
		`{"appointment":{"appointment_at":"2026-05-03T18:00:00Z"}}`: {At: at},
	} {
		cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(`{"idempotency_key":"k",`+request[1:]))
		if request == `{}` {
			cmd, err = domain.NewCommand("demo-toyota", "public|a", []byte(`{"idempotency_key":"k"}`))
		}
		if err != nil {
			t.Fatal(err)
		}
		wish, asked := cmd.Wish()
		if asked != (want != nil) {
			t.Errorf("%s: asked = %v", request, asked)
		}
		if want == nil {
			want = &domain.Wish{}
		}
		if diff := cmp.Diff(*want, wish, cmp.Comparer(time.Time.Equal)); diff != "" {
			t.Errorf("%s: %s", request, diff)
		}
	}
}

// Only a caller that has proven who it is may learn of its own earlier lead (R-TEN, R-IDEM).
func TestAfter_WhoMayKnow(t *testing.T) {
	earlier := domain.LeadID("lead_01JT3F6Q5X9M2K7V0A4B8C6D1E")
	for name, test := range map[string]struct {
		caller string
		same   bool
		want   domain.Findings
	}{
		"authenticated, its own":    {"oauth|https://id.example|c|s", true, domain.Findings{Repeats: earlier}},
		"authenticated, another's":  {"oauth|https://id.example|c|s", false, domain.Findings{PossibleDuplicateOf: earlier}},
		"public, of the same name":  {"public|oauth", true, domain.Findings{PossibleDuplicateOf: earlier}},
		"public, of another name":   {"public|a", false, domain.Findings{PossibleDuplicateOf: earlier}},
		"public, with a forged one": {"public|oauth|https://id.example|c|s", true, domain.Findings{PossibleDuplicateOf: earlier}},
	} {
		t.Run(name, func(t *testing.T) {
			var got domain.Findings
			got.After(domain.Earlier{LeadID: earlier, SameCaller: test.same}, test.caller)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
