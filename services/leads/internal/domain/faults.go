package domain

import (
	"errors"
	"fmt"
	"time"

	"forecourt.internal/contract"
)

// ErrNotRecorded says that an attempt has recorded nothing, and will not later: it sent nothing to the log, or the log refused all of it.
var ErrNotRecorded = errors.New("nothing was recorded")

// inventoryRetry is when an inventory that did not answer is worth another call.
const inventoryRetry = 2 * time.Second

// Conflict says that the key was used with another payload.
func Conflict() *contract.Error {
	return contract.NewError(contract.IdempotencyConflict, "This idempotency key was used before with another payload.",
		contract.Problem{
			InstanceLocation: "/idempotency_key", Keyword: "idempotency",
			Error:      "The key belongs to a lead with another payload.",
			Correction: "Send a new idempotency_key for a new lead, or repeat the first payload unchanged to get its outcome again.",
		})
}

// TooLarge says that the log takes no event of this size.
func TooLarge() *contract.Error {
	return contract.NewError(contract.SchemaValidationFailed, "The lead is too large.", contract.Problem{
		Keyword: "size", Error: "The lead is larger than the dealership can keep.",
		Correction: "Send a smaller request: shorten other_attributes, features, photos and descriptions of vehicles, or leave them out.",
	})
}

// InProgress says that another attempt under the key has not ended yet. Of the codes that allow a retry it is INTERNAL_ERROR, not
// RATE_LIMITED: the caller has used up no quota and need not slow down, only repeat this call, and retry_after_ms says when.
func InProgress(retryAfter time.Duration) *contract.Error {
	e := contract.NewError(contract.InternalError, "An earlier attempt to submit this lead is still in progress; repeat the same call.")
	e.RetryAfter = retryAfter
	return e
}

// TryLater is a failure that the same call may get past after a while. The caller is told the message; the cause, which errors.Is
// and errors.As also see, is for the log.
func TryLater(message string, after time.Duration, cause error) error {
	e := contract.NewError(contract.InternalError, message+" Repeat the same call with the same idempotency_key.")
	e.RetryAfter = after
	return fmt.Errorf("%w (%w)", e, cause)
}
