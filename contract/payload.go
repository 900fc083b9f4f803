package contract

import (
	"encoding/json"
	"time"
)

// Payload returns the aap.error JSON of e, valid against error.schema.json. errorID names this failure to support
// staff, such as "err_01JT3F6Q5X"; at is when it happened. details is present when there are problems (details.errors)
// or a wait (details.retry_after_ms, rounded up to a millisecond).
func (e *Error) Payload(errorID string, at time.Time) []byte {
	type details struct {
		Errors       []Problem `json:"errors,omitempty"`
		RetryAfterMS int64     `json:"retry_after_ms,omitempty"`
	}
	payload := struct {
		Type      string   `json:"type"`
		ErrorID   string   `json:"error_id"`
		Code      Code     `json:"code"`
		Message   string   `json:"message"`
		Retryable bool     `json:"retryable"`
		Details   *details `json:"details,omitempty"`
		CreatedAt string   `json:"created_at"`
	}{
		Type: "aap.error", ErrorID: errorID, Code: e.Code, Message: e.Message, Retryable: e.Code.Retryable(),
		CreatedAt: at.UTC().Format("2006-01-02T15:04:05.000Z07:00"),
	}
	if len(e.Problems) > 0 || e.RetryAfter > 0 {
		payload.Details = &details{Errors: e.Problems}
		if e.RetryAfter > 0 {
			payload.Details.RetryAfterMS = int64((e.RetryAfter + time.Millisecond - 1) / time.Millisecond)
		}
	}
	b, err := json.Marshal(payload)
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	return b
}
