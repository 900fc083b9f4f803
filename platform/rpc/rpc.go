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
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
)

const (
	correlationKey = "x-correlation-id"
	// pushback is gRPC's way to tell a client when to repeat a call (gRFC A6); a negative number means never.
	pushback = "grpc-retry-pushback-ms"
	// maxMessage bounds one message in both directions: a page of 100 listings fits many times over.
	maxMessage = 16 << 20
	// pipeBuffer is the size of the in-process pipe in bytes; a page of listings passes in one write.
	pipeBuffer = 256 << 10
)

// NewServer returns a gRPC server whose handlers get the caller's correlation id in their context. A contract.Error and a status
// error that they return reach the client; an ended context becomes CANCELED or DEADLINE_EXCEEDED, any other error and a panic
// INTERNAL without its text. What is the service's own failure goes to the log, as an error with its text.
func NewServer(log *slog.Logger, options ...grpc.ServerOption) *grpc.Server {
	return grpc.NewServer(append(options,
		grpc.MaxRecvMsgSize(maxMessage), grpc.MaxSendMsgSize(maxMessage),
		grpc.ChainUnaryInterceptor(serve(log)),
	)...)
}

// Pipe is a listener and a connection that stay inside the process, for services composed into one binary.
type Pipe struct{ listener *bufconn.Listener }

// NewPipe returns an unconnected pipe.
func NewPipe() *Pipe { return &Pipe{listener: bufconn.Listen(pipeBuffer)} }

// Listener is what the server serves on.
func (p *Pipe) Listener() net.Listener { return p.listener }

// Dial connects a client to the pipe's server.
func (p *Pipe) Dial() (*grpc.ClientConn, error) {
	conn, err := grpc.NewClient("passthrough:///pipe", append(everyClient(),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return p.listener.DialContext(ctx) }),
	)...)
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
		if isAnswer(err) {
			// Whether to try again is the caller's decision then, also where the code says UNAVAILABLE.
			grpc.SetTrailer(ctx, metadata.Pairs(pushback, "-1"))
		} else if ownFailure(status.Code(wire)) {
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

// isAnswer tells a contract.Error from failures: it is an answer whatever its code, because the service that decided on it knows
// whether there is a cause to log.
func isAnswer(err error) bool { return errors.As(err, new(*contract.Error)) }

// ownFailure tells the service's failures from its callers'.
func ownFailure(code codes.Code) bool {
	switch code {
	case codes.Internal, codes.Unknown, codes.DataLoss, codes.Unavailable:
		return true
	}
	return false
}
