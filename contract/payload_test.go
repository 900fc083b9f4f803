package contract

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPayload_CarriesDetailsOnlyWhenThereAreSome(t *testing.T) {
	at := time.Date(2026, 4, 30, 5, 0, 0, 123_000_000, time.FixedZone("", -7*3600))
	problem := Problem{"/vin", "pattern", "Wrong.", "Send it right."}
	tests := map[string]struct {
		err  *Error
		want string
	}{
		"plain": {NewError(VehicleNotFound, "There is no such vehicle."),
			`{"type":"aap.error","error_id":"err_1","code":"VEHICLE_NOT_FOUND","message":"There is no such vehicle.","retryable":false,"created_at":"2026-04-30T12:00:00.123Z"}`},
		"problems": {NewError(SchemaValidationFailed, "No.", problem),
			`{"type":"aap.error","error_id":"err_1","code":"SCHEMA_VALIDATION_FAILED","message":"No.","retryable":false,"details":{"errors":[{"instanceLocation":"/vin","keyword":"pattern","error":"Wrong.","correction":"Send it right."}]},"created_at":"2026-04-30T12:00:00.123Z"}`},
		"a wait is rounded up": {&Error{Code: RateLimited, Message: "Later.", RetryAfter: 1500*time.Microsecond + 1},
			`{"type":"aap.error","error_id":"err_1","code":"RATE_LIMITED","message":"Later.","retryable":true,"details":{"retry_after_ms":2},"created_at":"2026-04-30T12:00:00.123Z"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := tt.err.Payload("err_1", at)
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if err := validator(t).Document(errorSchema, decode(t, string(got))); err != nil {
				t.Error(err.Problems)
			}
		})
	}
}

func TestPayload_EveryCodeIsValid(t *testing.T) {
	for _, code := range Codes() {
		payload := decode(t, string(NewError(code, "Message.").Payload("err_1", leadNow)))
		for _, skill := range Skills() {
			if err := validator(t).Response(skill.ID, payload); err != nil {
				t.Errorf("%s: %v", code, err)
			}
		}
	}
}
