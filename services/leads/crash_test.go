package leads_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/leads/internal/domain"
)

// dying is the idempotency service as a leads process sees it that dies before the named calls: they never leave.
type dying struct {
	idempotencyv1.IdempotencyServiceClient
	before []string
}

func diesBefore(calls ...string) crash {
	return func(c idempotencyv1.IdempotencyServiceClient) idempotencyv1.IdempotencyServiceClient {
		return dying{IdempotencyServiceClient: c, before: calls}
	}
}

func (d dying) dead(call string) error {
	if slices.Contains(d.before, call) {
		return status.Error(codes.Unavailable, "dead")
	}
	return nil
}

func (d dying) Begin(ctx context.Context, r *idempotencyv1.BeginRequest, o ...grpc.CallOption) (*idempotencyv1.BeginResponse, error) {
	if err := d.dead("Begin"); err != nil {
		return nil, err
	}
	return d.IdempotencyServiceClient.Begin(ctx, r, o...)
}

func (d dying) Complete(ctx context.Context, r *idempotencyv1.CompleteRequest, o ...grpc.CallOption) (*idempotencyv1.CompleteResponse, error) {
	if err := d.dead("Complete"); err != nil {
		return nil, err
	}
	return d.IdempotencyServiceClient.Complete(ctx, r, o...)
}

func (d dying) Release(ctx context.Context, r *idempotencyv1.ReleaseRequest, o ...grpc.CallOption) (*idempotencyv1.ReleaseResponse, error) {
	if err := d.dead("Release"); err != nil {
		return nil, err
	}
	return d.IdempotencyServiceClient.Release(ctx, r, o...)
}

// revive starts the services again after a crash, when the lease of the dead attempt has run out.
func (w *world) revive() {
	w.stopServices()
	w.start(nil)
	w.clock.advance(w.lease)
}

// claim begins an attempt with the request and goes no further.
func (w *world) claim(request []byte) {
	w.t.Helper()
	cmd, err := domain.NewCommand(dealership, caller, request)
	w.must(err)
	resp, err := w.idempotency.Begin(w.t.Context(), &idempotencyv1.BeginRequest{
		Key:         &idempotencyv1.Key{Tenant: dealership, Caller: caller, Skill: "lead.submit", Key: cmd.Key},
		Fingerprint: cmd.Fingerprint[:],
	})
	w.must(err)
	if resp.GetFresh() == nil {
		w.t.Fatalf("claim = %v, want fresh", resp)
	}
}

func (w *world) wantReplay(request []byte, want *leadsv1.SubmitResponse) {
	w.t.Helper()
	got := w.mustSubmit(request)
	if diff := cmp.Diff(string(want.GetResponse()), string(got.GetResponse())); diff != "" || !got.GetReplayed() {
		w.t.Errorf("replayed = %v, %s", got.GetReplayed(), diff)
	}
}

func (w *world) wantConflict(request []byte) {
	w.t.Helper()
	if fault := w.fault(request); fault.Code != contract.IdempotencyConflict {
		w.t.Errorf("fault = %v, want a conflict", fault)
	}
}

func TestCrash_BeforeComplete_ClaimStillHeld_TheLogAnswers(t *testing.T) {
	w := newBroker(t)
	w.start(diesBefore("Complete"))
	first := w.mustSubmit(w.request(nil))
	w.stopServices()
	w.start(impatient)
	w.wantReplay(w.request(nil), first)
	w.wantConflict(w.request(map[string]any{"message": "another"}))
	w.wantEvents(1)
}

func TestCrash_AfterClaim_NextAttemptRecords(t *testing.T) {
	for name, first := range map[string]map[string]any{"same payload": nil, "another": {"message": "another"}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			at := w.clock.Now()
			w.claim(w.request(first))
			w.revive()
			resp := w.mustSubmit(w.request(nil))
			if resp.GetReplayed() {
				t.Error("nothing had been recorded, yet the answer is marked as replayed")
			}
			if made, err := domain.LeadID(leadID(t, resp.GetResponse())).Time(); err != nil || made.Sub(at) > w.lease/2 {
				t.Errorf("the lead id is of %v (err %v), not of the first claim at %v", made, err, at)
			}
			w.wantReplay(w.request(nil), resp)
			w.wantEvents(1)
		})
	}
}

func TestCrash_AfterClaim_RulesRefuse_KeyComesFree(t *testing.T) {
	w := newWorld(t)
	refused := w.request(map[string]any{"trade_in": map[string]any{"condition": "cpo"}})
	w.claim(refused)
	w.revive()
	if fault := w.fault(refused); fault.Code != contract.InvalidCondition {
		t.Errorf("fault = %v", fault)
	}
	if w.mustSubmit(w.request(nil)).GetReplayed() {
		t.Error("replayed a lead that was never recorded")
	}
	w.wantEvents(1)
}

func TestCrash_BeforeRelease_NextAttemptIsRefusedToo(t *testing.T) {
	w := newBroker(t)
	w.start(diesBefore("Release"))
	refused := w.request(map[string]any{"trade_in": map[string]any{"condition": "cpo"}})
	if fault := w.fault(refused); fault.Code != contract.InvalidCondition {
		t.Errorf("fault = %v", fault)
	}
	w.revive()
	if fault := w.fault(refused); fault.Code != contract.InvalidCondition {
		t.Errorf("after revival: fault = %v", fault)
	}
	w.wantEvents(0)
}

func TestCrash_BeforeComplete_Resumed(t *testing.T) {
	soonRefused := func(w *world) map[string]any {
		return map[string]any{"consent": w.consent(map[string]any{
			"expires_at": w.clock.Now().Add(w.lease / 2).UTC().Format("2006-01-02T15:04:05.000Z"),
		})}
	}
	for _, test := range []struct {
		name string
		then func(w *world, request []byte, first *leadsv1.SubmitResponse)
	}{
		{"the same payload replays, though the rules would refuse it now", func(w *world, request []byte, first *leadsv1.SubmitResponse) {
			w.wantReplay(request, first)
		}},
		{"another payload conflicts, and the first still replays", func(w *world, request []byte, first *leadsv1.SubmitResponse) {
			w.wantConflict(w.request(map[string]any{"message": "another"}))
			w.wantReplay(request, first)
		}},
		{"a payload that the rules refuse conflicts", func(w *world, _ []byte, _ *leadsv1.SubmitResponse) {
			w.wantConflict(w.request(map[string]any{"trade_in": map[string]any{"condition": "cpo"}}))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newBroker(t)
			w.start(diesBefore("Complete"))
			request := w.request(soonRefused(w))
			first := w.mustSubmit(request)
			w.revive()
			test.then(w, request, first)
			w.wantEvents(1)
		})
	}
}

func TestIdempotencyAway_TryLater_NothingRecorded(t *testing.T) {
	w := newBroker(t)
	w.start(diesBefore("Begin"))
	if fault := w.fault(w.request(nil)); fault.Code != contract.InternalError || fault.RetryAfter == 0 {
		t.Errorf("fault = %v, retry after %v", fault, fault.RetryAfter)
	}
	w.wantEvents(0)
}

func TestIdempotencyAway_TheLogAnswersRetries(t *testing.T) {
	w := newWorld(t)
	first := w.mustSubmit(w.request(nil))
	w.stopServices()
	w.start(diesBefore("Begin"))
	w.wantReplay(w.request(nil), first)
	w.wantConflict(w.request(map[string]any{"message": "another"}))
	w.wantEvents(1)
}

// The store of the idempotency service may be lost whole: the broker still knows every key inside the window.
func TestIdempotencyEmptied_TheBrokerDecides(t *testing.T) {
	for _, test := range []struct {
		name string
		then func(w *world, first *leadsv1.SubmitResponse)
	}{
		{"the same payload replays", func(w *world, first *leadsv1.SubmitResponse) { w.wantReplay(w.request(nil), first) }},
		{"another payload conflicts, and the first still replays", func(w *world, first *leadsv1.SubmitResponse) {
			w.wantConflict(w.request(map[string]any{"message": "another"}))
			w.wantReplay(w.request(nil), first)
			w.wantConflict(w.request(map[string]any{"message": "another"}))
		}},
		{"a payload that the rules refuse conflicts", func(w *world, first *leadsv1.SubmitResponse) {
			w.wantConflict(w.request(map[string]any{"trade_in": map[string]any{"condition": "cpo"}}))
			w.wantReplay(w.request(nil), first)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			first := w.mustSubmit(w.request(nil))
			w.emptyStore()
			test.then(w, first)
			w.wantEvents(1)
		})
	}
}

func TestIdempotencyEmptied_RulesRefuseByNow_Replays(t *testing.T) {
	w := newWorld(t)
	request := w.request(map[string]any{"consent": w.consent(map[string]any{
		"expires_at": w.clock.Now().Add(w.lease / 2).UTC().Format("2006-01-02T15:04:05.000Z"),
	})})
	first := w.mustSubmit(request)
	w.emptyStore()
	w.wantReplay(request, first)
	w.wantEvents(1)
}
