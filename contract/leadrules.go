package contract

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// clockSkew is how far in the future a consent may seem to be granted.
const clockSkew = 5 * time.Minute

// LeadRules holds a lead.submit request against the rules that need nothing but the request and the clock, and reports
// every problem at once; nil when all is fine. A part that is too broken to be judged is passed over: the schema
// reports it.
//
//   - There is a consent (else CONTACT_CONSENT_REQUIRED), it is complete, names a channel, its words are not blank, its scope
//     is lead_submission, it was not granted more than 5 minutes after now, and now is not after its end (else INVALID_CONSENT).
//   - An explicit preferred_contact is allowed by the consent; with any or none, at least one allowed channel has its
//     address given (else CONTACT_CONSENT_REQUIRED). email needs customer.email; phone and sms need customer.phone.
//   - An explicit and allowed preferred_contact has its address given: the dealer could not do as the buyer asks otherwise (else
//     MISSING_REQUIRED_FIELD, the address is what is absent).
//   - vehicle_of_interest.condition is of sale, trade_in.condition of wear (else INVALID_CONDITION).
//   - A test drive names a vehicle_of_interest (else MISSING_REQUIRED_FIELD).
//
// Problems of different kinds make it SCHEMA_VALIDATION_FAILED, see codeOf.
func LeadRules(request map[string]any, now time.Time) *Error {
	found := leadFindings(request, now)
	if len(found) == 0 {
		return nil
	}
	return newRequestError(found)
}

func leadFindings(request map[string]any, now time.Time) []finding {
	consent, given := request["consent"]
	grant, _ := consent.(map[string]any)
	var found []finding
	if !given {
		found = append(found, rule(ofContact|ofRequired, "required", text{
			"The buyer's consent is missing.", `Ask the buyer for consent to be contacted and add it as "consent".`}, "consent"))
	}
	if grant != nil {
		found = append(found, consentFindings(grant, now)...)
		if customer, ok := request["customer"].(map[string]any); ok {
			found = append(found, channelFindings(customer, grant)...)
		}
	}
	found = append(found, conditionFindings(request, "vehicle_of_interest", "new", "used", "cpo")...)
	found = append(found, conditionFindings(request, "trade_in", "excellent", "good", "fair", "poor")...)
	appointment, _ := request["appointment"].(map[string]any)
	if _, ok := request["vehicle_of_interest"]; !ok && appointment["appointment_type"] == "test_drive" {
		found = append(found, rule(ofRequired, "required", text{
			"A test drive needs a vehicle.", `Add "vehicle_of_interest", the vehicle to drive.`}, "vehicle_of_interest"))
	}
	return found
}

func rule(k kinds, keyword string, t text, path ...string) finding {
	return finding{path: path, keyword: keyword, kinds: k, text: t}
}

func consentFindings(grant map[string]any, now time.Time) []finding {
	var found []finding
	bad := func(keyword, err, correction string, path ...string) {
		found = append(found, rule(ofConsent, keyword, text{err, correction}, append([]string{"consent"}, path...)...))
	}
	for _, name := range []string{"granted_at", "allowed_channels", "consent_text", "scope"} {
		if _, ok := grant[name]; !ok {
			found = append(found, rule(ofConsent|ofRequired, "required", text{}, "consent", name))
		}
	}
	if s, ok := grant["granted_at"].(string); ok {
		if at, ok := ParseTime(s); !ok {
			t := formatText("date-time")
			bad("format", t.err, t.correction, "granted_at")
		} else if at.After(now.Add(clockSkew)) {
			bad("consent_in_future", "The consent is granted in the future.", "Send the time at which the buyer consented.", "granted_at")
		}
	}
	if s, ok := grant["expires_at"].(string); ok {
		if at, ok := ParseTime(s); !ok {
			t := formatText("date-time")
			bad("format", t.err, t.correction, "expires_at")
		} else if now.After(at) {
			bad("consent_expired", "The consent has expired.", "Ask the buyer for consent again.", "expires_at")
		}
	}
	if s, ok := grant["consent_text"].(string); ok && strings.TrimSpace(s) == "" {
		bad("consent_text", "The consent has no words.", "Send the words that the buyer agreed to.", "consent_text")
	}
	if list, ok := grant["allowed_channels"].([]any); ok && len(list) == 0 {
		bad("minItems", "The consent allows no channel.", `Send the channels that the buyer allowed: "email", "phone" or "sms".`, "allowed_channels")
	}
	if list, ok := grant["scope"].([]any); ok {
		if len(list) == 0 {
			bad("minItems", "The consent has no scope.", `Send ["lead_submission"], if that is what the buyer agreed to.`, "scope")
		}
		for i, s := range list {
			if s != "lead_submission" {
				bad("const", "The consent is for something else.", `Send a consent of the scope ["lead_submission"].`, "scope", strconv.Itoa(i))
			}
		}
	}
	return found
}

// addressOf names the member of customer that a contact channel goes to.
func addressOf(channel string) string {
	if channel == "email" {
		return "email"
	}
	return "phone"
}

func channelFindings(customer, grant map[string]any) []finding {
	allowed, ok := channels(grant["allowed_channels"])
	preferred, known := preference(customer)
	if !ok || !known {
		return nil
	}
	hasAddress := func(channel string) bool {
		s, ok := customer[addressOf(channel)].(string)
		return ok && s != ""
	}
	anyAddress := hasAddress("email") || hasAddress("phone")
	switch {
	case preferred != "any" && !slices.Contains(allowed, preferred):
		return []finding{rule(ofContact, "contact_channel", text{
			"The consent does not allow the preferred contact channel.",
			"Prefer a channel of consent.allowed_channels, or ask the buyer to allow this one."}, "customer", "preferred_contact")}
	case !anyAddress: // the schema asks for one of them
		return nil
	case preferred != "any" && !hasAddress(preferred):
		return []finding{rule(ofRequired, "required", text{
			"The preferred contact channel has no address.",
			"Add the address of the preferred channel, or prefer another channel."}, "customer", addressOf(preferred))}
	case preferred == "any" && !slices.ContainsFunc(allowed, hasAddress):
		return []finding{rule(ofContact, "contact_channel", text{
			"No allowed channel has its address given.",
			"Add the address of an allowed channel to customer, or ask the buyer to allow a channel whose address is given."},
			"consent", "allowed_channels")}
	}
	return nil
}

// channels reads allowed_channels; ok is false when it is not a list of channels.
func channels(v any) (list []string, ok bool) {
	items, _ := v.([]any)
	for _, item := range items {
		s, _ := item.(string)
		if s != "email" && s != "phone" && s != "sms" {
			return nil, false
		}
		list = append(list, s)
	}
	return list, len(list) > 0
}

// preference reads preferred_contact, which is any when absent; ok is false when it is not a channel or any.
func preference(customer map[string]any) (channel string, ok bool) {
	v, given := customer["preferred_contact"]
	if !given {
		return "any", true
	}
	s, _ := v.(string)
	return s, slices.Contains([]string{"email", "phone", "sms", "any"}, s)
}

func conditionFindings(request map[string]any, member string, vocabulary ...string) []finding {
	vehicle, _ := request[member].(map[string]any)
	condition, ok := vehicle["condition"].(string)
	if !ok || slices.Contains(vocabulary, condition) {
		return nil
	}
	return []finding{rule(ofCondition, "enum", text{
		"The value is not one of those allowed.", "Send " + orList(vocabulary) + "."}, member, "condition")}
}
