package contract

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var leadNow = time.Date(2026, 4, 30, 12, 0, 0, 0, time.UTC)

// lead is a request without fault at leadNow, changed by edit.
func lead(t testing.TB, edit func(request, customer, consent map[string]any)) map[string]any {
	t.Helper()
	request := decode(t, `{
		"type": "lead.submit.request",
		"customer": {"first_name": "Ines", "last_name": "Okafor", "email": "ines@mail.example", "phone": "+15105550117"},
		"consent": {"granted_at": "2026-04-30T11:05:00Z", "allowed_channels": ["email", "phone"],
			"consent_text": "Demo Toyota may contact me.", "scope": ["lead_submission"]},
		"source_agent": {"name": "harbor-shopper"},
		"idempotency_key": "key-1"
	}`).(map[string]any)
	if edit != nil {
		edit(request, object(request["customer"]), object(request["consent"]))
	}
	return request
}

// found is the part of an error that rules decide: its code, and where which rule failed.
type found struct {
	Code     Code
	Problems [][2]string
}

func foundIn(err *Error) found {
	if err == nil {
		return found{}
	}
	f := found{Code: err.Code}
	for _, p := range err.Problems {
		f.Problems = append(f.Problems, [2]string{p.InstanceLocation, p.Keyword})
	}
	return f
}

type edit = func(request, customer, consent map[string]any)

func TestLeadRules(t *testing.T) {
	appointment := func(kind string) map[string]any { return map[string]any{"appointment_type": kind} }
	tests := map[string]struct {
		edit edit
		want found
	}{
		"a lead without fault is accepted": {nil, found{}},

		"consent is needed": {
			func(r, _, _ map[string]any) { delete(r, "consent") },
			found{ContactConsentRequired, [][2]string{{"/consent", "required"}}}},
		"consent is complete": {
			func(_, _, c map[string]any) { clear(c) },
			found{InvalidConsent, [][2]string{{"/consent/allowed_channels", "required"}, {"/consent/consent_text", "required"},
				{"/consent/granted_at", "required"}, {"/consent/scope", "required"}}}},
		"consent may be 5 minutes in the future": {
			func(_, _, c map[string]any) { c["granted_at"] = "2026-04-30T12:05:00Z" }, found{}},
		"consent may not be more than 5 minutes in the future": {
			func(_, _, c map[string]any) { c["granted_at"] = "2026-04-30T12:05:01Z" },
			found{InvalidConsent, [][2]string{{"/consent/granted_at", "consent_in_future"}}}},
		"consent times are compared as instants": {
			func(_, _, c map[string]any) { c["granted_at"] = "2026-04-30T05:00:00-07:00" }, found{}},
		"consent holds until its end": {
			func(_, _, c map[string]any) { c["expires_at"] = "2026-04-30T12:00:00Z" }, found{}},
		"consent has not expired": {
			func(_, _, c map[string]any) { c["expires_at"] = "2026-04-30T11:59:59Z" },
			found{InvalidConsent, [][2]string{{"/consent/expires_at", "consent_expired"}}}},
		"consent times can be read": {
			func(_, _, c map[string]any) { c["granted_at"], c["expires_at"] = "yesterday", "2026-04-30" },
			found{InvalidConsent, [][2]string{{"/consent/expires_at", "format"}, {"/consent/granted_at", "format"}}}},
		"consent has words": {
			func(_, _, c map[string]any) { c["consent_text"] = " \n" },
			found{InvalidConsent, [][2]string{{"/consent/consent_text", "consent_text"}}}},
		"consent allows a channel": {
			func(_, _, c map[string]any) { c["allowed_channels"] = []any{} },
			found{InvalidConsent, [][2]string{{"/consent/allowed_channels", "minItems"}}}},
		"consent has a scope": {
			func(_, _, c map[string]any) { c["scope"] = []any{} },
			found{InvalidConsent, [][2]string{{"/consent/scope", "minItems"}}}},
		"consent is for leads": {
			func(_, _, c map[string]any) { c["scope"] = []any{"marketing"} },
			found{InvalidConsent, [][2]string{{"/consent/scope/0", "const"}}}},

		"preferred channel is allowed": {
			func(_, c, _ map[string]any) { c["preferred_contact"] = "phone" }, found{}},
		"preferred channel must be allowed": {
			func(_, c, _ map[string]any) { c["preferred_contact"] = "sms" },
			found{ContactConsentRequired, [][2]string{{"/customer/preferred_contact", "contact_channel"}}}},
		"preferred channel must be allowed even when its address is absent": {
			func(_, c, _ map[string]any) { c["preferred_contact"] = "sms"; delete(c, "phone") },
			found{ContactConsentRequired, [][2]string{{"/customer/preferred_contact", "contact_channel"}}}},
		"preferred email needs an email address": {
			func(_, c, _ map[string]any) { c["preferred_contact"] = "email"; delete(c, "email") },
			found{MissingRequiredField, [][2]string{{"/customer/email", "required"}}}},
		"preferred phone needs a phone number": {
			func(_, c, _ map[string]any) { c["preferred_contact"] = "phone"; delete(c, "phone") },
			found{MissingRequiredField, [][2]string{{"/customer/phone", "required"}}}},
		"sms goes to phone": {
			func(_, c, g map[string]any) { c["preferred_contact"] = "sms"; g["allowed_channels"] = []any{"sms"} }, found{}},
		"any needs one usable channel": {
			func(_, c, g map[string]any) { c["preferred_contact"] = "any"; delete(c, "phone") }, found{}},
		"any with an allowed channel whose address is absent is not usable": {
			func(_, c, g map[string]any) {
				c["preferred_contact"] = "any"
				delete(c, "phone")
				g["allowed_channels"] = []any{"phone", "sms"}
			},
			found{ContactConsentRequired, [][2]string{{"/consent/allowed_channels", "contact_channel"}}}},
		"no preference is any": {
			func(_, c, g map[string]any) { delete(c, "email"); g["allowed_channels"] = []any{"email"} },
			found{ContactConsentRequired, [][2]string{{"/consent/allowed_channels", "contact_channel"}}}},
		"channels are not judged without a customer": {
			func(r, _, _ map[string]any) { r["customer"] = "me" }, found{}},
		"channels are not judged when none is known": {
			func(_, c, g map[string]any) { c["preferred_contact"] = "phone"; g["allowed_channels"] = []any{"fax"} }, found{}},

		"vehicle of interest has a sale condition": {
			func(r, _, _ map[string]any) { r["vehicle_of_interest"] = map[string]any{"condition": "good"} },
			found{InvalidCondition, [][2]string{{"/vehicle_of_interest/condition", "enum"}}}},
		"trade-in has a wear condition": {
			func(r, _, _ map[string]any) { r["trade_in"] = map[string]any{"condition": "used"} },
			found{InvalidCondition, [][2]string{{"/trade_in/condition", "enum"}}}},
		"each vocabulary in its place": {
			func(r, _, _ map[string]any) {
				r["vehicle_of_interest"] = map[string]any{"condition": "cpo"}
				r["trade_in"] = map[string]any{"condition": "fair"}
			}, found{}},

		"a test drive needs a vehicle": {
			func(r, _, _ map[string]any) { r["appointment"] = appointment("test_drive") },
			found{MissingRequiredField, [][2]string{{"/vehicle_of_interest", "required"}}}},
		"a service visit needs no vehicle": {
			func(r, _, _ map[string]any) { r["appointment"] = appointment("service") }, found{}},

		"problems of one kind keep its code": {
			func(r, c, g map[string]any) { g["consent_text"] = ""; g["expires_at"] = "2020-01-01T00:00:00Z" },
			found{InvalidConsent, [][2]string{{"/consent/consent_text", "consent_text"}, {"/consent/expires_at", "consent_expired"}}}},
		"an absent consent is also an absent member": {
			func(r, _, _ map[string]any) { delete(r, "consent"); r["appointment"] = appointment("test_drive") },
			found{MissingRequiredField, [][2]string{{"/consent", "required"}, {"/vehicle_of_interest", "required"}}}},
		"an absent member of the consent is also an absent member": {
			func(r, _, g map[string]any) { delete(g, "granted_at"); r["appointment"] = appointment("test_drive") },
			found{MissingRequiredField, [][2]string{{"/consent/granted_at", "required"}, {"/vehicle_of_interest", "required"}}}},
		"problems of different kinds are listed under the general code": {
			func(r, c, g map[string]any) {
				g["expires_at"] = "2020-01-01T00:00:00Z"
				c["preferred_contact"] = "sms"
				r["trade_in"] = map[string]any{"condition": "new"}
			},
			found{SchemaValidationFailed, [][2]string{{"/consent/expires_at", "consent_expired"},
				{"/customer/preferred_contact", "contact_channel"}, {"/trade_in/condition", "enum"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			request := lead(t, tt.edit)
			err := LeadRules(request, leadNow)
			if diff := cmp.Diff(tt.want, foundIn(err)); diff != "" {
				t.Error(diff)
			}
			checkWording(t, err)
		})
	}
}

// checkWording holds every problem and message against what a reader needs.
func checkWording(t *testing.T, err *Error) {
	t.Helper()
	if err == nil {
		return
	}
	if err.Message == "" || err.Message[len(err.Message)-1] != '.' {
		t.Errorf("message %q is no sentence", err.Message)
	}
	for _, p := range err.Problems {
		if p.Error == "" || p.Correction == "" || p.Correction[len(p.Correction)-1] != '.' {
			t.Errorf("a problem lacks words: %+v", p)
		}
	}
}

func TestLeadRules_EmptyRequest_IsJudgedWithoutPanic(t *testing.T) {
	want := found{ContactConsentRequired, [][2]string{{"/consent", "required"}}}
	if diff := cmp.Diff(want, foundIn(LeadRules(nil, leadNow))); diff != "" {
		t.Error(diff)
	}
}

func TestLeadRules_DoNotChangeTheRequest(t *testing.T) {
	request := lead(t, nil)
	before := maps.Clone(request)
	LeadRules(request, leadNow)
	if diff := cmp.Diff(before, request); diff != "" {
		t.Error(diff)
	}
}
