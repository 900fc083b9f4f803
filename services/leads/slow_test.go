package leads_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	inventoryv1 "forecourt.internal/proto/inventory/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
)

// stall lets the first look-up of a vehicle wait until free is closed; reached is closed when it waits.
func (i *inventory) stall() (reached, free chan struct{}) {
	reached, free = make(chan struct{}), make(chan struct{})
	first := true
	i.answers(func(context.Context, *inventoryv1.GetVehicleRequest) (*inventoryv1.GetVehicleResponse, error) {
		i.mu.Lock()
		mine := first
		first = false
		i.mu.Unlock()
		if mine {
			close(reached)
			<-free
		}
		return &inventoryv1.GetVehicleResponse{}, nil
	})
	return reached, free
}

func TestSlowAttempt_CannotOverwriteALaterOne(t *testing.T) {
	for _, test := range []struct {
		name  string
		later map[string]any
		want  func(t *testing.T, w *world, later, slow *leadsv1.SubmitResponse, err error)
	}{
		{"same payload: the later one's answer", nil, func(t *testing.T, w *world, later, slow *leadsv1.SubmitResponse, err error) {
			w.must(err)
			if diff := cmp.Diff(string(later.GetResponse()), string(slow.GetResponse())); diff != "" {
				t.Error(diff)
			}
		}},
		{"another payload: a conflict", map[string]any{"message": "another"}, func(t *testing.T, _ *world, _, slow *leadsv1.SubmitResponse, err error) {
			var fault *contract.Error
			if !errors.As(err, &fault) || fault.Code != contract.IdempotencyConflict {
				t.Errorf("the slow attempt got %s and %v, want a conflict", slow.GetResponse(), err)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			reached, free := w.inventory.stall()
			vehicle := map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}}
			type answer struct {
				resp *leadsv1.SubmitResponse
				err  error
			}
			slow, first := make(chan answer, 1), w.request(vehicle)
			go func() {
				resp, err := w.submit(first)
				slow <- answer{resp, err}
			}()
			<-reached
			w.clock.advance(w.lease)
			request := w.request(with(vehicle, test.later))
			later := w.mustSubmit(request)
			close(free)
			a := <-slow
			test.want(t, w, later, a.resp, a.err)
			w.wantReplay(request, later)
			w.wantEvents(1)
		})
	}
}

func TestCallerGoesAway_TheLeadIsRecordedAllTheSame(t *testing.T) {
	w := newWorld(t)
	reached, free := w.inventory.stall()
	request := w.request(map[string]any{"vehicle_of_interest": map[string]any{"stock": "T5120"}})
	ctx, hangUp := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := w.submitAs(ctx, dealership, caller, request)
		gone <- err
	}()
	<-reached
	hangUp()
	if err := <-gone; status.Code(err) != codes.Canceled {
		t.Errorf("err = %v, want CANCELED", err)
	}
	close(free)
	if resp := w.mustSubmit(request); !resp.GetReplayed() { // waits for the attempt that nobody waits for
		t.Error("the retry made a lead of its own")
	}
	w.wantEvents(1)
}
