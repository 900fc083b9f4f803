package wire

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/idemkey"
	idempotencyv1 "forecourt.internal/proto/idempotency/v1"
	"forecourt.internal/services/idempotency/internal/app"
	"forecourt.internal/services/idempotency/internal/domain"
)

const (
	// maxOutcome is the size of an outcome in bytes.
	maxOutcome = 64 << 10
	// maxWait bounds how long one call may keep waiting for another attempt.
	maxWait = time.Minute
)

// Server implements IdempotencyService.
type Server struct {
	idempotencyv1.UnimplementedIdempotencyServiceServer
	registry *app.Registry
	log      *slog.Logger
}

// NewServer returns the gRPC side of a registry. The log hears of attempts that never ended.
func NewServer(registry *app.Registry, log *slog.Logger) *Server {
	return &Server{registry: registry, log: log}
}

// Begin claims a key or tells what became of it.
func (s *Server) Begin(ctx context.Context, req *idempotencyv1.BeginRequest) (*idempotencyv1.BeginResponse, error) {
	key, err := digest(req.GetKey())
	if err != nil {
		return nil, err
	}
	f, err := fingerprint(req.GetFingerprint())
	if err != nil {
		return nil, err
	}
	claim, err := s.registry.Begin(ctx, key, f, min(req.GetWait().AsDuration(), maxWait))
	if err != nil {
		return nil, failure(ctx, err)
	}
	if claim.Fresh != nil && claim.Fresh.Resumed {
		s.log.WarnContext(ctx, "an earlier attempt never ended; this one resumes it", "tenant", req.GetKey().GetTenant(),
			"skill", req.GetKey().GetSkill(), "first_claimed_at", claim.Fresh.FirstClaimedAt, "correlation_id", correlation.From(ctx))
	}
	return beginResponse(claim), nil
}

// Complete records the outcome under a claim.
func (s *Server) Complete(ctx context.Context, req *idempotencyv1.CompleteRequest) (*idempotencyv1.CompleteResponse, error) {
	key, err := digest(req.GetKey())
	if err != nil {
		return nil, err
	}
	var of *domain.Fingerprint
	if len(req.GetFingerprint()) > 0 {
		f, err := fingerprint(req.GetFingerprint())
		if err != nil {
			return nil, err
		}
		of = &f
	}
	if n := len(req.GetOutcome()); n == 0 || n > maxOutcome { // nothing could not be replayed
		return nil, status.Errorf(codes.InvalidArgument, "outcome has %d bytes, want 1 to %d", n, maxOutcome)
	}
	if err := s.registry.Complete(ctx, key, req.GetOwner(), of, req.GetOutcome()); err != nil {
		return nil, failure(ctx, err)
	}
	return &idempotencyv1.CompleteResponse{}, nil
}

// Release gives a claim up.
func (s *Server) Release(ctx context.Context, req *idempotencyv1.ReleaseRequest) (*idempotencyv1.ReleaseResponse, error) {
	key, err := digest(req.GetKey())
	if err != nil {
		return nil, err
	}
	if err := s.registry.Release(ctx, key, req.GetOwner()); err != nil {
		return nil, failure(ctx, err)
	}
	return &idempotencyv1.ReleaseResponse{}, nil
}

func digest(k *idempotencyv1.Key) (idemkey.Digest, error) {
	if k.GetTenant() == "" || k.GetCaller() == "" || k.GetSkill() == "" || k.GetKey() == "" {
		return idemkey.Digest{}, status.Error(codes.InvalidArgument, "key needs tenant, caller, skill and key")
	}
	return idemkey.Key{Tenant: k.GetTenant(), Caller: k.GetCaller(), Skill: k.GetSkill(), Key: k.GetKey()}.Digest(), nil
}

func fingerprint(b []byte) (f domain.Fingerprint, err error) {
	if len(b) != len(f) {
		return f, status.Errorf(codes.InvalidArgument, "fingerprint has %d bytes, want %d", len(b), len(f))
	}
	return domain.Fingerprint(b), nil
}

func beginResponse(c app.Claim) *idempotencyv1.BeginResponse {
	switch {
	case c.Fresh != nil:
		return &idempotencyv1.BeginResponse{Result: &idempotencyv1.BeginResponse_Fresh_{Fresh: &idempotencyv1.BeginResponse_Fresh{
			Owner: c.Fresh.Owner, FirstClaimedAt: timestamppb.New(c.Fresh.FirstClaimedAt), Resumed: c.Fresh.Resumed,
			Lease: durationpb.New(c.Fresh.Lease),
		}}}
	case c.Replay != nil:
		return &idempotencyv1.BeginResponse{Result: &idempotencyv1.BeginResponse_Replay_{
			Replay: &idempotencyv1.BeginResponse_Replay{Outcome: c.Replay.Outcome},
		}}
	case c.Conflict:
		return &idempotencyv1.BeginResponse{Result: &idempotencyv1.BeginResponse_Conflict_{
			Conflict: &idempotencyv1.BeginResponse_Conflict{},
		}}
	default:
		return &idempotencyv1.BeginResponse{Result: &idempotencyv1.BeginResponse_InProgress_{
			InProgress: &idempotencyv1.BeginResponse_InProgress{RetryAfter: durationpb.New(c.InProgress.RetryAfter)},
		}}
	}
}

// storeAway is a store that did not answer. The caller is told no more than that; the cause is for the log of the server.
type storeAway struct{ cause error }

func (e storeAway) Error() string { return "the store did not answer: " + e.cause.Error() }

// GRPCStatus is what the caller gets. There is no Unwrap: a deadline of the store's is not the caller's.
func (e storeAway) GRPCStatus() *status.Status {
	return status.New(codes.Unavailable, "the store did not answer")
}

// failure decides a status: a lost claim is the caller's news, a caller that went away gets its own error back, and anything
// else is a store that did not answer, after which the same call may be made again.
func failure(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, domain.ErrNotOwner):
		return status.Error(codes.FailedPrecondition, err.Error())
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		return storeAway{cause: err}
	}
}
