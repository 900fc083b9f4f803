// Package wire is the gRPC side of the leads service.
package wire

import (
	"context"
	"errors"
	"log/slog"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	leadsv1 "forecourt.internal/proto/leads/v1"
	"forecourt.internal/services/leads/internal/app"
	"forecourt.internal/services/leads/internal/domain"
)

// Server implements LeadsService.
type Server struct {
	leadsv1.UnimplementedLeadsServiceServer
	submitter *app.Submitter
	log       *slog.Logger
}

// NewServer returns the gRPC side of a submitter.
func NewServer(submitter *app.Submitter, log *slog.Logger) *Server {
	return &Server{submitter: submitter, log: log}
}

// Submit records the lead once.
func (s *Server) Submit(ctx context.Context, req *leadsv1.SubmitRequest) (*leadsv1.SubmitResponse, error) {
	if !tenant.ValidID(req.GetTenant()) || req.GetCaller() == "" {
		return nil, status.Error(codes.InvalidArgument, "a lead needs a tenant and a caller scope")
	}
	cmd, err := domain.NewCommand(req.GetTenant(), req.GetCaller(), req.GetRequest())
	if err != nil {
		return nil, err
	}
	outcome, err := s.submitter.Submit(ctx, cmd)
	if errors.Is(err, app.ErrUnknownTenant) {
		return nil, status.Error(codes.NotFound, err.Error())
	}
	if err != nil {
		s.logCause(ctx, req.GetTenant(), err)
		return nil, err
	}
	return &leadsv1.SubmitResponse{Response: outcome.Response, Replayed: outcome.Replayed}, nil
}

// logCause keeps what the caller is not told: a fault travels without its cause. A fault without one is all that there is to say: the
// caller has to correct something, or to wait for another attempt that is doing well.
func (s *Server) logCause(ctx context.Context, tenant string, err error) {
	var fault *contract.Error
	if !errors.As(err, &fault) || err == error(fault) {
		return
	}
	about := []any{"tenant", tenant, "correlation_id", correlation.From(ctx), "error", err}
	var unsettled *app.Unsettled
	if errors.As(err, &unsettled) {
		about = append(about, "lead_id", unsettled.LeadID)
	}
	s.log.ErrorContext(ctx, "lead attempt failed", about...)
}
