package app

import "forecourt.internal/services/leads/internal/domain"

// Unsettled is the failure of an attempt whose lead may be in the log or not. The claim is not released: the next attempt, once
// the lease has run out, looks into the log first. It wraps the *contract.Error that the caller is told.
type Unsettled struct {
	// LeadID is the id that the attempt recorded the lead under, if it did; "" when there can be none.
	LeadID domain.LeadID
	err    error
}

func unsettled(cmd domain.Command, claim domain.Claim, cause error) error {
	id, _ := domain.NewLeadID(claim.FirstClaimedAt, cmd.Digest) // the cause says why there is none
	after := max(claim.Lease, leaseMargin)                      // a lease of nothing would tell the caller no time at all
	return &Unsettled{LeadID: id, err: domain.TryLater("It is not known yet whether the lead was received.", after, cause)}
}

func (e *Unsettled) Error() string { return e.err.Error() }

func (e *Unsettled) Unwrap() error { return e.err }
