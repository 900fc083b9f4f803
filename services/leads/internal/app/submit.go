package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/turns"
	"forecourt.internal/services/leads/internal/domain"
)

// leaseMargin is how long before the end of its lease an attempt stops. The lease counts from when the idempotency service granted
// it, so the answer's way here is gone from it; and what the attempt sent last is still on its way to the broker when it stops,
// where it must arrive before another attempt may hold the key.
const leaseMargin = time.Second

// askWithin bounds a question to the log without a claim.
const askWithin = 2 * time.Second

// notRecordedRetry is when an attempt that certainly recorded nothing is worth another call.
const notRecordedRetry = 2 * time.Second

// completeWithin bounds how long a caller whose lead is recorded waits for the idempotency service to remember that.
const completeWithin = 2 * time.Second

// ErrUnknownTenant says that no dealership has the command's tenant id.
var ErrUnknownTenant = errors.New("no such tenant")

var errLate = errors.New("the claim was granted too late to do anything under it")

// Submitter takes leads. All exported fields are required.
type Submitter struct {
	Tenants Tenants
	Claims  Claims
	Stock   Stock
	Buyers  Buyers
	Log     Log
	Logger  *slog.Logger
	Now     func() time.Time

	days turns.Turns[string] // by the day's subject
}

// Outcome is the answer to a command.
type Outcome struct {
	// Response is the JSON of a lead.submit.response, the same bytes on every retry.
	Response []byte
	// Replayed is true when an earlier attempt recorded it.
	Replayed bool
}

// Submit records a consented lead once and returns the outcome that the caller must see, now and on every retry (R-IDEM). It returns
// a *contract.Error for anything the buyer's agent can correct or try again, and ErrUnknownTenant. Once the key is claimed, the
// caller's going away no longer stops it.
func (s *Submitter) Submit(ctx context.Context, cmd domain.Command) (Outcome, error) {
	dealer, ok := s.Tenants.Get(cmd.Tenant)
	if !ok {
		return Outcome{}, ErrUnknownTenant
	}
	claim, err := s.Claims.Begin(ctx, cmd)
	if err != nil {
		return s.unclaimed(ctx, cmd, err)
	}
	if claim.Replay != nil {
		return Outcome{Response: claim.Replay, Replayed: true}, nil
	}
	left := claim.Lease - leaseMargin
	if left <= 0 {
		return Outcome{}, unsettled(cmd, claim, time.Now().Add(claim.Lease), errLate)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), left)
	defer cancel()
	return s.underClaim(ctx, cmd, claim, dealer)
}

// unclaimed answers a command whose key could not be claimed, and why. When that is for now only, what the log holds is the answer all
// the same: the attempt with the claim may have died between its event and its outcome, or the idempotency service be away.
func (s *Submitter) unclaimed(ctx context.Context, cmd domain.Command, why error) (Outcome, error) {
	var fault *contract.Error
	if !errors.As(why, &fault) || !fault.Code.Retryable() {
		return Outcome{}, why
	}
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	recorded, found, err := s.Log.Recorded(ctx, cmd.Tenant, cmd.Digest)
	switch {
	case err != nil:
		return Outcome{}, fmt.Errorf("%w; %w", why, err)
	case !found:
		return Outcome{}, why
	case recorded.Fingerprint != cmd.Fingerprint:
		return Outcome{}, domain.Conflict()
	default:
		return Outcome{Response: recorded.Response, Replayed: true}, nil
	}
}

// underClaim does what the claim is for. The log decides before the rules do: what was recorded stays recorded, even if the rules would
// refuse it by now. So it is asked when an earlier attempt may have recorded the lead, and before any refusal, which may come of a
// claim that the idempotency service has forgotten.
func (s *Submitter) underClaim(
	ctx context.Context, cmd domain.Command, claim domain.Claim, dealer *tenant.Document,
) (Outcome, error) {
	if claim.Resumed {
		if recorded, found, err := s.Log.Recorded(ctx, cmd.Tenant, cmd.Digest); err != nil {
			return Outcome{}, unsettled(cmd, claim, leaseEnd(ctx), err)
		} else if found {
			return s.settle(ctx, cmd, claim, recorded)
		}
	}
	recorded, err := s.record(ctx, cmd, claim, dealer)
	switch {
	case err == nil:
		return s.settle(ctx, cmd, claim, recorded)
	case errors.Is(err, domain.ErrNotRecorded):
		s.release(ctx, cmd, claim)
		return Outcome{}, domain.TryLater("This call did not record the lead.", notRecordedRetry, err)
	case !errors.As(err, new(*contract.Error)):
		return Outcome{}, unsettled(cmd, claim, leaseEnd(ctx), err)
	}
	refusal := err
	if !claim.Resumed {
		if recorded, found, err := s.Log.Recorded(ctx, cmd.Tenant, cmd.Digest); err != nil {
			return Outcome{}, unsettled(cmd, claim, leaseEnd(ctx), err)
		} else if found {
			return s.settle(ctx, cmd, claim, recorded)
		}
	}
	s.release(ctx, cmd, claim)
	return Outcome{}, refusal
}

// settle answers with what the log holds under the key, and has the idempotency service remember it. That is a convenience: when
// it fails, the next attempt finds the event again.
func (s *Submitter) settle(
	ctx context.Context, cmd domain.Command, claim domain.Claim, recorded domain.Recorded,
) (Outcome, error) {
	completing, cancel := context.WithTimeout(context.WithoutCancel(ctx), completeWithin)
	defer cancel()
	if err := s.Claims.Complete(completing, cmd, claim.Owner, recorded); err != nil {
		s.warn(ctx, cmd.Tenant, "the outcome of a lead was not remembered", err, "lead_id", recorded.LeadID)
	}
	if recorded.Fingerprint != cmd.Fingerprint {
		return Outcome{}, domain.Conflict()
	}
	return Outcome{Response: recorded.Response, Replayed: earlier(cmd, claim, recorded)}, nil
}

// earlier says whether the lead was recorded by another attempt. An event of this attempt's own id that was found rather than
// appended is its own, published twice, unless an attempt before it had the same claim.
func earlier(cmd domain.Command, claim domain.Claim, recorded domain.Recorded) bool {
	own, err := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest)
	return recorded.Found && (claim.Resumed || err != nil || recorded.Attempt != own)
}

// release gives the claim of an attempt up that recorded nothing. When it fails the lease runs out.
func (s *Submitter) release(ctx context.Context, cmd domain.Command, claim domain.Claim) {
	releasing, cancel := context.WithDeadline(context.WithoutCancel(ctx), leaseEnd(ctx)) // its time may be what ended the attempt
	defer cancel()
	if err := s.Claims.Release(releasing, cmd, claim.Owner); err != nil {
		s.warn(ctx, cmd.Tenant, "the claim of a lead that was not recorded was not released", err)
	}
}

func (s *Submitter) warn(ctx context.Context, tenant, message string, err error, more ...any) {
	s.Logger.WarnContext(ctx, message, append(more, "tenant", tenant, "correlation_id", correlation.From(ctx), "error", err)...)
}
