// Package claims calls the idempotency service in the terms of a lead.
package claims

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"forecourt.internal/contract"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/leads/internal/domain"
)

const (
	// defaultWait is how long an attempt waits for an earlier one under the same key.
	defaultWait = 5 * time.Second
	// patience is how long the service may take beyond that.
	patience = 3 * time.Second
	// retry is when a service that did not answer is worth another call.
	retry = 2 * time.Second
)

// Client begins and ends claims.
type Client struct {
	service idempotencyv1.IdempotencyServiceClient
	wait    time.Duration
}

// New returns a client of the idempotency service.
func New(service idempotencyv1.IdempotencyServiceClient) *Client {
	return &Client{service: service, wait: defaultWait}
}

// Claim is the right to record the lead of a command, or the outcome of one that did.
type Claim struct {
	// Replay is the response that an earlier attempt recorded; nil when this attempt holds the claim.
	Replay []byte
	// FirstClaimedAt is when the key was first claimed.
	FirstClaimedAt time.Time
	// Resumed is true when an earlier attempt may have recorded the lead without saying so.
	Resumed bool
	// Lease is how long the claim is held from now.
	Lease time.Duration

	key   *idempotencyv1.Key
	owner string
}

// Begin claims the command's key. While another attempt holds it, it waits for that one for 5 seconds. It returns
// domain.Conflict when the key has the outcome of another payload, domain.InProgress when the wait was in vain, and an error to try
// later when the service does not answer.
func (c *Client) Begin(ctx context.Context, cmd domain.Command) (Claim, error) {
	key := &idempotencyv1.Key{Tenant: cmd.Tenant, Caller: cmd.Caller, Skill: string(contract.LeadSubmit), Key: cmd.Key}
	within, cancel := context.WithTimeout(ctx, c.wait+patience)
	defer cancel()
	resp, err := c.service.Begin(within, &idempotencyv1.BeginRequest{
		Key: key, Fingerprint: cmd.Fingerprint[:], Wait: durationpb.New(c.wait),
	})
	if ctx.Err() != nil {
		return Claim{}, ctx.Err()
	}
	if err != nil {
		return Claim{}, unavailable(fmt.Errorf("claim idempotency key: %w", err))
	}
	switch result := resp.GetResult().(type) {
	case *idempotencyv1.BeginResponse_Fresh_:
		return Claim{
			FirstClaimedAt: result.Fresh.GetFirstClaimedAt().AsTime(), Resumed: result.Fresh.GetResumed(),
			Lease: result.Fresh.GetLease().AsDuration(), key: key, owner: result.Fresh.GetOwner(),
		}, nil
	case *idempotencyv1.BeginResponse_Replay_:
		return Claim{Replay: result.Replay.GetOutcome()}, nil
	case *idempotencyv1.BeginResponse_Conflict_:
		return Claim{}, domain.Conflict()
	case *idempotencyv1.BeginResponse_InProgress_:
		return Claim{}, domain.InProgress(result.InProgress.GetRetryAfter().AsDuration())
	default:
		return Claim{}, unavailable(errors.New("claim idempotency key: the answer is of an unknown kind"))
	}
}

// Complete records the response to the payload with the fingerprint as the outcome under the claim.
func (c *Client) Complete(ctx context.Context, claim Claim, f domain.Fingerprint, response []byte) error {
	_, err := c.service.Complete(ctx, &idempotencyv1.CompleteRequest{
		Key: claim.key, Owner: claim.owner, Outcome: response, Fingerprint: f[:],
	})
	return err
}

// Release gives the claim up: nothing was recorded under it.
func (c *Client) Release(ctx context.Context, claim Claim) error {
	_, err := c.service.Release(ctx, &idempotencyv1.ReleaseRequest{Key: claim.key, Owner: claim.owner})
	return err
}

func unavailable(cause error) error {
	return domain.TryLater("The lead cannot be taken at the moment.", retry, cause)
}
