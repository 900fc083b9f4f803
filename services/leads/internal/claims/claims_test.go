package claims

import (
	"errors"
	"log/slog"
	"testing"
	"time"

	"forecourt.internal/contract"
	"forecourt.internal/platform/natstest"
	"forecourt.internal/platform/rpc/rpctest"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency"
	"forecourt.internal/services/leads/internal/domain"
)

func TestBegin_AttemptStillInProgressAfterTheWait_RetryWhenItsLeaseEnds(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	service, err := idempotency.New(t.Context(), idempotency.Config{
		JetStream: natstest.Start(t).JetStream(), Lease: time.Minute, Logger: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	client := New(idempotencyv1.NewIdempotencyServiceClient(rpctest.Serve(t, log, service.Register)))
	client.wait = 0
	cmd, err := domain.NewCommand("demo-toyota", "public|a", []byte(`{"idempotency_key":"k"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Begin(t.Context(), cmd); err != nil {
		t.Fatal(err)
	}
	var fault *contract.Error
	_, err = client.Begin(t.Context(), cmd)
	if !errors.As(err, &fault) || fault.Code != contract.InternalError || fault.RetryAfter <= 0 || fault.RetryAfter > time.Minute {
		t.Errorf("err = %v, fault = %+v; want a retryable error for up to the lease", err, fault)
	}
}
