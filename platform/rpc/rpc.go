package rpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
)

const (
	correlationKey = "x-correlation-id"
	// maxMessage bounds one message in both directions: a page of 100 listings fits many times over.
	maxMessage = 16 << 20
	// pipeBuffer is the size of the in-process pipe in bytes; a page of listings passes in one write.
	pipeBuffer = 256 << 10
)

// NewServer returns a gRPC server whose handlers get the caller's correlation id in their context. A contract.Error and a status
// error that they return reach the client; an ended context becomes CANCELED or DEADLINE_EXCEEDED, any other error and a panic
// INTERNAL without its text. What is the service's own failure goes to the log, as an error with its text.
func NewServer(log *slog.Logger) *grpc.Server {
	return grpc.NewServer(
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.ChainUnaryInterceptor(serve(log)),
	)
}

// Pipe is a listener and a connection that stay inside the process, for services composed into one binary.
type Pipe struct{ listener *bufconn.Listener }

// NewPipe returns an unconnected pipe.
func NewPipe() *Pipe { return &Pipe{listener: bufconn.Listen(pipeBuffer)} }

// Listener is what the server serves on.
func (p *Pipe) Listener() net.Listener { return p.listener }

// Dial connects a client to the pipe's server.
func (p *Pipe) Dial() (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient("passthrough:///pipe",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return p.listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithChainUnaryInterceptor(call),
	)
	if err != nil {
		return nil, fmt.Errorf("dial the pipe: %w", err)
	}
	return conn, nil
}

func serve(log *slog.Logger) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (resp any, err error) {
		if md, ok := metadata.FromIncomingContext(ctx); ok {
			if ids := md.Get(correlationKey); len(ids) > 0 {
				ctx = correlation.With(ctx, ids[0])
			}
		}
		defer func() {
			if r := recover(); r != nil {
				log.ErrorContext(ctx, "panic", "method", info.FullMethod, "correlation_id", correlation.From(ctx),
					"panic", fmt.Sprintf("%T", r), "stack", string(debug.Stack()))
				resp, err = nil, toStatus(fmt.Errorf("panic in %s", info.FullMethod))
			}
		}()
		resp, err = handle(ctx, req)
		if err == nil {
			return resp, nil
		}
		wire := toStatus(err)
		if ownFailure(err, status.Code(wire)) {
			log.ErrorContext(ctx, "call failed", "method", info.FullMethod, "correlation_id", correlation.From(ctx), "error", err)
		}
		return nil, wire
	}
}

func call(
	ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	if id := correlation.From(ctx); id != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, correlationKey, id)
	}
	return fromStatus(invoke(ctx, method, req, reply, conn, opts...))
}

// ownFailure tells the service's failures from answers: a contract.Error is an answer whatever its code, because the service that
// decided on it knows whether there is a cause to log.
func ownFailure(err error, code codes.Code) bool {
	var fault *contract.Error
	if errors.As(err, &fault) {
		return false
	}
	switch code {
	case codes.Internal, codes.Unknown, codes.DataLoss, codes.Unavailable:
		return true
	}
	return false
}
