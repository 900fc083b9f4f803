package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/services/leads/internal/domain"
)

// leaseMargin is how long before the end of its lease an attempt stops. The lease counts from when the idempotency service granted
// it, so the answer's way here is gone from it; and what the attempt sent last is still on its way to the broker when it stops,
// where it must arrive before another attempt may hold the key.
const leaseMargin = time.Second

// ErrUnknownTenant says that no dealership has the command's tenant id.
var ErrUnknownTenant = errors.New("no such tenant")

var errLate = errors.New("the claim was granted too late to do anything under it")

// Submitter takes leads. All fields are required.
type Submitter struct {
	Tenants Tenants
	Claims  Claims
	Stock   Stock
	Log     Log
	Logger  *slog.Logger
	Now     func() time.Time
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
		return Outcome{}, err
	}
	if claim.Replay != nil {
		return Outcome{Response: claim.Replay, Replayed: true}, nil
	}
	left := claim.Lease - leaseMargin
	if left <= 0 {
		return Outcome{}, unsettled(cmd, claim, errLate)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), left)
	defer cancel()
	if claim.Resumed {
		// The log decides before the rules do: what was recorded stays recorded, even if the rules would refuse it by now.
		recorded, found, err := s.recorded(ctx, cmd, claim)
		if err != nil {
			return Outcome{}, unsettled(cmd, claim, err)
		}
		if found {
			return s.settle(ctx, cmd, claim, recorded)
		}
	}
	lead, err := s.accept(ctx, cmd, claim, dealer)
	if err != nil {
		s.release(ctx, cmd, claim)
		return Outcome{}, err
	}
	recorded, err := s.Log.AppendFirst(ctx, cmd.Digest, lead) // one event, whoever published it
	if err != nil {
		return Outcome{}, unsettled(cmd, claim, err)
	}
	return s.settle(ctx, cmd, claim, recorded)
}

// recorded looks for the lead that an earlier attempt under the claim may have recorded.
func (s *Submitter) recorded(ctx context.Context, cmd domain.Command, claim domain.Claim) (domain.Recorded, bool, error) {
	id, err := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest)
	if err != nil {
		return domain.Recorded{}, false, err
	}
	return s.Log.Recorded(ctx, cmd.Tenant, id)
}

// accept holds the command against the rules and makes the lead.
func (s *Submitter) accept(
	ctx context.Context, cmd domain.Command, claim domain.Claim, dealer *tenant.Document,
) (domain.Lead, error) {
	var vehicle domain.Vehicle
	if ref, named := cmd.Vehicle(); named {
		var err error
		if vehicle, err = s.Stock.Vehicle(ctx, cmd.Tenant, ref); err != nil {
			s.warn(ctx, cmd.Tenant, "the inventory did not answer", err)
		}
	}
	if err := cmd.Check(vehicle, s.Now()); err != nil {
		return domain.Lead{}, err
	}
	return cmd.Accept(vehicle, dealer, claim.FirstClaimedAt, correlation.From(ctx))
}

// settle answers with what the log holds under the key, and has the idempotency service remember it. That is a convenience: when
// it fails, the next attempt finds the event again.
func (s *Submitter) settle(
	ctx context.Context, cmd domain.Command, claim domain.Claim, recorded domain.Recorded,
) (Outcome, error) {
	if err := s.Claims.Complete(ctx, cmd, claim.Owner, recorded); err != nil {
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
	return recorded.Found && (claim.Resumed || err != nil || recorded.LeadID != own)
}

// release gives the claim up after a refusal. When it fails the lease runs out.
func (s *Submitter) release(ctx context.Context, cmd domain.Command, claim domain.Claim) {
	if err := s.Claims.Release(ctx, cmd, claim.Owner); err != nil {
		s.warn(ctx, cmd.Tenant, "the claim of a refused lead was not released", err)
	}
}

func (s *Submitter) warn(ctx context.Context, tenant, message string, err error, more ...any) {
	s.Logger.WarnContext(ctx, message, append(more, "tenant", tenant, "correlation_id", correlation.From(ctx), "error", err)...)
}
