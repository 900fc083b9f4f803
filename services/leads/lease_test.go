package leads_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"forecourt.internal/contract"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
)

// margin is how long before the end of its lease an attempt stops.
const margin = time.Second

// altering is the idempotency service with other times in its requests and answers.
type altering struct {
	idempotencyv1.IdempotencyServiceClient
	request func(*idempotencyv1.BeginRequest)
	answer  func(*idempotencyv1.BeginResponse)
}

func (a altering) Begin(ctx context.Context, r *idempotencyv1.BeginRequest, o ...grpc.CallOption) (*idempotencyv1.BeginResponse, error) {
	if a.request != nil {
		a.request(r)
	}
	resp, err := a.IdempotencyServiceClient.Begin(ctx, r, o...)
	if a.answer != nil && err == nil {
		a.answer(resp)
	}
	return resp, err
}

// leaves grants claims with so much of their lease left.
func leaves(left time.Duration) crash {
	return func(c idempotencyv1.IdempotencyServiceClient) idempotencyv1.IdempotencyServiceClient {
		return altering{IdempotencyServiceClient: c, answer: func(resp *idempotencyv1.BeginResponse) {
			resp.GetFresh().Lease = durationpb.New(left)
		}}
	}
}

// impatient does not wait for another attempt.
func impatient(c idempotencyv1.IdempotencyServiceClient) idempotencyv1.IdempotencyServiceClient {
	return altering{IdempotencyServiceClient: c, request: func(r *idempotencyv1.BeginRequest) { r.Wait = nil }}
}

func TestLease_TheAttemptStopsAMarginBeforeItsEnd(t *testing.T) {
	const left = margin + 1500*time.Millisecond // less than the inventory may take
	w := newBroker(t)
	w.start(leaves(left))
	within := make(chan time.Duration, 1)
	w.inventory.answers(func(ctx context.Context, _ *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		deadline, _ := ctx.Deadline()
		within <- time.Until(deadline)
		return &inventoryv1.GetVehicleResponse{}, nil
	})
	w.mustSubmit(w.request(map[string]any{"vehicle_of_interest": vehicle}))
	if got := <-within; got <= 0 || got > left-margin {
		t.Errorf("the attempt has %v left, want up to %v", got, left-margin)
	}
	w.wantEvents(1)
}

func TestLease_GrantedTooLate_NothingRecorded_ThenResumed(t *testing.T) {
	for _, left := range []time.Duration{0, margin} {
		t.Run(left.String(), func(t *testing.T) {
			w := newBroker(t)
			w.start(leaves(left))
			fault := w.fault(w.request(nil))
			if fault.Code != contract.InternalError || fault.RetryAfter != margin {
				t.Errorf("fault = %v, retry after %v; want one to try again after %v", fault, fault.RetryAfter, margin)
			}
			w.wantEvents(0)
			w.revive()
			w.wantReplay(w.request(nil), w.mustSubmit(w.request(nil)))
			w.wantEvents(1)
		})
	}
}

func TestAnotherAttemptInProgress_TryLater_AndNoFailureIsLogged(t *testing.T) {
	w := newBroker(t)
	w.start(impatient)
	w.claim(w.request(nil))
	fault := w.fault(w.request(nil))
	if fault.Code != contract.InternalError || fault.RetryAfter <= 0 || fault.RetryAfter > w.lease {
		t.Errorf("fault = %v, retry after %v; want one to try again when the lease has run out", fault, fault.RetryAfter)
	}
	for _, level := range []string{"WARN", "ERROR"} {
		if line := w.logs.line("level=" + level); line != "" {
			t.Errorf("logged: %s", strings.TrimSpace(line))
		}
	}
	w.wantEvents(0)
}
