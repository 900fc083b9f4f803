package contract

import "time"

// Code is an AAP error code.
type Code string

// The public AAP codes.
const (
	UnsupportedSkill           Code = "UNSUPPORTED_SKILL"
	SchemaValidationFailed     Code = "SCHEMA_VALIDATION_FAILED"
	MissingRequiredField       Code = "MISSING_REQUIRED_FIELD"
	InvalidCondition           Code = "INVALID_CONDITION"
	VehicleNotFound            Code = "VEHICLE_NOT_FOUND"
	VehicleUnavailable         Code = "VEHICLE_UNAVAILABLE"
	ContactConsentRequired     Code = "CONTACT_CONSENT_REQUIRED"
	InvalidConsent             Code = "INVALID_CONSENT"
	AppointmentTimeUnavailable Code = "APPOINTMENT_TIME_UNAVAILABLE"
	IdempotencyConflict        Code = "IDEMPOTENCY_CONFLICT"
	RateLimited                Code = "RATE_LIMITED"
	InternalError              Code = "INTERNAL_ERROR"
)

// Codes that no public text defines yet; the contract page calls them ours.
const (
	UnsupportedFilter Code = "UNSUPPORTED_FILTER"
	CursorExpired     Code = "CURSOR_EXPIRED"
	CursorInvalid     Code = "CURSOR_INVALID"
)

// Codes lists every code, public ones first.
func Codes() []Code {
	return []Code{
		UnsupportedSkill, SchemaValidationFailed, MissingRequiredField, InvalidCondition, VehicleNotFound,
		VehicleUnavailable, ContactConsentRequired, InvalidConsent, AppointmentTimeUnavailable, IdempotencyConflict,
		RateLimited, InternalError,
		UnsupportedFilter, CursorExpired, CursorInvalid,
	}
}

// Retryable says whether the same request may succeed later without a change.
func (c Code) Retryable() bool { return c == RateLimited || c == InternalError }

// Problem is one entry of details.errors: where a request is wrong, and what to send instead. No field ever holds a
// caller's value.
type Problem struct {
	// InstanceLocation is a JSON Pointer (RFC 6901) into the request; "" is the whole request.
	InstanceLocation string `json:"instanceLocation"`
	// Keyword is the JSON Schema keyword or the name of the rule that failed.
	Keyword string `json:"keyword"`
	// Error says what is wrong.
	Error string `json:"error"`
	// Correction says in one sentence what to send instead.
	Correction string `json:"correction"`
}

// Error is a failure that a caller is told as an aap.error. Services return it; bindings encode it.
type Error struct {
	Code     Code
	Message  string
	Problems []Problem
	// RetryAfter is how long to wait before the same request may succeed; zero when unknown. It becomes
	// details.retry_after_ms.
	RetryAfter time.Duration
}

// NewError builds an error of a code with a message for the end user and the problems found, if any.
func NewError(code Code, message string, problems ...Problem) *Error {
	return &Error{Code: code, Message: message, Problems: problems}
}

// Error returns the code and message, which are free of customer values and safe to log.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }
