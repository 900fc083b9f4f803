package skill

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// A binding that does not look first still cannot run what a dealership has switched off, or what nobody offers.
func TestDo_RefusesSkillsThatAreNotOffered(t *testing.T) {
	validator, err := contract.NewValidator()
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Validator: validator, Logger: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	all, some := &tenant.Document{ID: "all"}, &tenant.Document{ID: "some", Skills: []contract.SkillID{contract.InventorySearch}}
	for name, call := range map[string]Call{
		"switched off": {Tenant: some, Skill: contract.DealerInformation, Arguments: []byte(`{"type":"dealer.information.request"}`)},
		"unknown":      {Tenant: all, Skill: "vehicle.repaint", Arguments: []byte(`{}`)},
	} {
		t.Run(name, func(t *testing.T) {
			result := p.Do(t.Context(), call, nil)
			var payload struct{ Type, Code string }
			if err := json.Unmarshal(result.Payload, &payload); err != nil {
				t.Fatal(err)
			}
			if result.Code != contract.UnsupportedSkill || payload.Type != "aap.error" || payload.Code != "UNSUPPORTED_SKILL" {
				t.Errorf("result = %s %s", result.Code, result.Payload)
			}
		})
	}
}

func TestKnown_RemembersOnlyWhatPassed(t *testing.T) {
	k, err := newKnown()
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	check := func(payload string, verdict error) error {
		return k.check([]byte(payload), func([]byte) error { checks++; return verdict })
	}
	bad := contract.NewError(contract.InternalError, "bad")
	for _, step := range []struct {
		payload string
		verdict error
		checks  int // so far
	}{{"a", nil, 1}, {"a", nil, 1}, {"b", bad, 2}, {"b", bad, 3}, {"b", nil, 4}, {"b", bad, 4}, {"a", bad, 4}} {
		check(step.payload, step.verdict)
		if checks != step.checks {
			t.Fatalf("%v: %d checks, want %d", step, checks, step.checks)
		}
	}
}
