package rpc

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	faultv1 "forecourt.internal/proto/fault/v1"
)

// toStatus is the one place where an error of a service becomes a gRPC status. A contract.Error travels whole as a detail, a
// status error as it is; anything else but an ended context becomes INTERNAL without its text, which stays in the log.
func toStatus(err error) error {
	var fault *contract.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &fault):
		return faultStatus(fault)
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, "deadline exceeded")
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, "canceled")
	}
	if s, ok := status.FromError(err); ok {
		return s.Err()
	}
	return status.Error(codes.Internal, "internal error")
}

// fromStatus gives a client the contract.Error that the server returned; other statuses pass unchanged.
func fromStatus(err error) error {
	s, ok := status.FromError(err)
	if !ok || err == nil {
		return err
	}
	for _, d := range s.Details() {
		f, ok := d.(*faultv1.Fault)
		if !ok {
			continue
		}
		fault := &contract.Error{
			Code:       contract.Code(f.GetCode()),
			Message:    f.GetMessage(),
			RetryAfter: time.Duration(f.GetRetryAfterMs()) * time.Millisecond,
		}
		for _, p := range f.GetProblems() {
			fault.Problems = append(fault.Problems, contract.Problem{
				InstanceLocation: p.GetInstanceLocation(), Keyword: p.GetKeyword(), Error: p.GetError(), Correction: p.GetCorrection(),
			})
		}
		return fault
	}
	return err
}

func faultStatus(fault *contract.Error) error {
	detail := &faultv1.Fault{
		Code: string(fault.Code), Message: fault.Message, RetryAfterMs: fault.RetryAfter.Milliseconds(),
	}
	for _, p := range fault.Problems {
		detail.Problems = append(detail.Problems, &faultv1.Problem{
			InstanceLocation: p.InstanceLocation, Keyword: p.Keyword, Error: p.Error, Correction: p.Correction,
		})
	}
	s, err := status.New(statusCode(fault.Code), fault.Message).WithDetails(detail)
	if err != nil {
		return status.Error(codes.Internal, "internal error")
	}
	return s.Err()
}

// statusCode maps by what a generic gRPC client should do; Forecourt's own clients read the detail.
func statusCode(code contract.Code) codes.Code {
	switch code {
	case contract.UnsupportedSkill:
		return codes.Unimplemented
	case contract.VehicleNotFound:
		return codes.NotFound
	case contract.VehicleUnavailable, contract.AppointmentTimeUnavailable:
		return codes.FailedPrecondition
	case contract.ContactConsentRequired, contract.InvalidConsent:
		return codes.PermissionDenied
	case contract.IdempotencyConflict:
		return codes.AlreadyExists
	case contract.RateLimited:
		return codes.ResourceExhausted
	case contract.InternalError:
		return codes.Unavailable
	default:
		return codes.InvalidArgument
	}
}
