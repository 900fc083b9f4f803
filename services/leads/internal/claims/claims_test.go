package claims

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc/rpctest"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency"
	"forecourt.internal/services/leads/internal/domain"
)

// start runs the service and makes a command that claims a key of it for a minute.
func start(t *testing.T) (idempotencyv1.IdempotencyServiceClient, domain.Command) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	service, err := idempotency.New(t.Context(), idempotency.Config{
		JetStream: natstest.Start(t).JetStream(), Lease: time.Minute, Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(`{"idempotency_key":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	return idempotencyv1.NewIdempotencyServiceClient(rpctest.Serve(t, log, service.Register)), cmd
}

func TestBegin_AttemptStillInProgressAfterTheWait_RetryWhenItsLeaseEnds(t *testing.T) {
	service, cmd := start(t)
	client := New(service)
	client.wait = 0
	if _, err := client.Begin(t.Context(), cmd); err != nil {
		t.Fatal(err)
	}
	var fault *contract.Error
	_, err := client.Begin(t.Context(), cmd)
	if !errors.As(err, &fault) || fault.Code != contract.InternalError || fault.RetryAfter <= 0 || fault.RetryAfter > time.Minute {
		t.Errorf("err = %v, fault = %+v; want a retryable error for up to the lease", err, fault)
	}
}

// leaving is the service as it answers a caller that goes away at that moment.
type leaving struct {
	idempotencyv1.IdempotencyServiceClient
	leave func()
}

func (l leaving) Begin(ctx context.Context, r *idempotencyv1.BeginRequest, o ...grpc.CallOption) (*idempotencyv1.BeginResponse, error) {
	defer l.leave()
	return l.IdempotencyServiceClient.Begin(ctx, r, o...)
}

func TestBegin_CallerGoesAwayAsTheClaimIsGranted_ItIsTaken(t *testing.T) {
	service, cmd := start(t)
	ctx, leave := context.WithCancel(t.Context())
	if claim, err := New(leaving{service, leave}).Begin(ctx, cmd); err != nil || claim.Owner == "" {
		t.Errorf("claim = %+v, err = %v; want the claim that would hold the key otherwise", claim, err)
	}
}
