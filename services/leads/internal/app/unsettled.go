package app

import (
	"context"
	"time"

	"forecourt.internal/services/leads/internal/domain"
)

// Unsettled is the failure of an attempt whose lead may be in the log or not. The claim is not released: the next attempt, once
// the lease has run out, looks into the log first. It wraps the *contract.Error that the caller is told.
type Unsettled struct {
	// LeadID is the id that the attempt recorded the lead under, if it did; "" when there can be none.
	LeadID domain.LeadID
	err    error
}

// unsettled tells the caller to come again when the lease has run out.
func unsettled(cmd domain.Command, claim domain.Claim, end time.Time, cause error) error {
	id, _ := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest) // the cause says why there is none
	after := max(time.Until(end), leaseMargin)                  // nothing would tell the caller no time at all
	return &Unsettled{LeadID: id, err: domain.TryLater("It is not known yet whether the lead was received.", after, cause)}
}

// leaseEnd is when the lease of an attempt runs out: a margin after its ctx.
func leaseEnd(ctx context.Context) time.Time {
	deadline, _ := ctx.Deadline()
	return deadline.Add(leaseMargin)
}

func (e *Unsettled) Error() string { return e.err.Error() }

func (e *Unsettled) Unwrap() error { return e.err }
