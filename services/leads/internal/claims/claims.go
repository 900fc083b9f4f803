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

// Begin claims the command's key. While another attempt holds it, it waits for that one for 5 seconds. It returns
// domain.Conflict when the key has the outcome of another payload, domain.InProgress when the wait was in vain, and an error to try
// later when the service does not answer.
func (c *Client) Begin(ctx context.Context, cmd domain.Command) (domain.Claim, error) {
	within, cancel := context.WithTimeout(ctx, c.wait+patience)
	defer cancel()
	resp, err := c.service.Begin(within, &idempotencyv1.BeginRequest{
		Key: keyOf(cmd), Fingerprint: cmd.Fingerprint[:], Wait: durationpb.New(c.wait),
	})
	switch {
	case err != nil && ctx.Err() != nil: // it is the caller who is gone, not the service
		return domain.Claim{}, ctx.Err()
	case err != nil:
		return domain.Claim{}, unavailable(fmt.Errorf("claim idempotency key: %w", err))
	}
	switch result := resp.GetResult().(type) {
	case *idempotencyv1.BeginResponse_Fresh_:
		return domain.Claim{
			Owner: result.Fresh.GetOwner(), FirstClaimedAt: result.Fresh.GetFirstClaimedAt().AsTime(),
			Resumed: result.Fresh.GetResumed(), Lease: result.Fresh.GetLease().AsDuration(),
		}, nil
	case *idempotencyv1.BeginResponse_Replay_:
		return domain.Claim{Replay: result.Replay.GetOutcome()}, nil
	case *idempotencyv1.BeginResponse_Conflict_:
		return domain.Claim{}, domain.Conflict()
	case *idempotencyv1.BeginResponse_InProgress_:
		return domain.Claim{}, domain.InProgress(result.InProgress.GetRetryAfter().AsDuration())
	default:
		return domain.Claim{}, unavailable(errors.New("claim idempotency key: the answer is of an unknown kind"))
	}
}

// Complete records what the log holds as the outcome under the owner's claim.
func (c *Client) Complete(ctx context.Context, cmd domain.Command, owner string, r domain.Recorded) error {
	_, err := c.service.Complete(ctx, &idempotencyv1.CompleteRequest{
		Key: keyOf(cmd), Owner: owner, Outcome: r.Response, Fingerprint: r.Fingerprint[:],
	})
	if err != nil {
		return fmt.Errorf("record outcome under idempotency key: %w", err)
	}
	return nil
}

// Release gives the owner's claim up: nothing was recorded under it.
func (c *Client) Release(ctx context.Context, cmd domain.Command, owner string) error {
	if _, err := c.service.Release(ctx, &idempotencyv1.ReleaseRequest{Key: keyOf(cmd), Owner: owner}); err != nil {
		return fmt.Errorf("release idempotency key: %w", err)
	}
	return nil
}

func keyOf(cmd domain.Command) *idempotencyv1.Key {
	return &idempotencyv1.Key{Tenant: cmd.Tenant, Caller: cmd.Caller, Skill: string(contract.LeadSubmit), Key: cmd.Key}
}

func unavailable(cause error) error {
	return domain.TryLater("The lead cannot be taken at the moment.", retry, cause)
}
