package skill

import (
	"forecourt.internal/contract"
	"forecourt.internal/platform/tenant"
)

// Call is one use of a skill, as a binding read it off the wire.
type Call struct {
	// Tenant is the dealership that the call is addressed to; nothing of another one is reached through it (R-TEN).
	Tenant *tenant.Document
	Skill  contract.SkillID
	// Arguments is the request payload as JSON; nil when the caller sent none.
	Arguments []byte
	// CorrelationID names the call in every log and event that it causes.
	CorrelationID string
	// Binding is how the call came in, such as "mcp", and Revision the version of that protocol.
	Binding, Revision string
}

// Result is what the caller must be told.
type Result struct {
	// Payload is the JSON of the skill's response, or of an aap.error when Code is set.
	Payload []byte
	// Code is "" when the skill succeeded.
	Code contract.Code
	// Replayed is true when an earlier call with the same idempotency key had this outcome (R-IDEM).
	Replayed bool
}

// outcome is the result's name in telemetry.
func (r Result) outcome() string {
	if r.Code == "" {
		return "OK"
	}
	return string(r.Code)
}
