package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"forecourt.internal/platform/correlation"
)

const (
	correlationKey = "x-correlation-id"
	// maxMessage bounds one message in both directions: a page of 100 listings fits many times over.
	maxMessage = 16 << 20
	// pipeBuffer is the size of the in-process pipe in bytes; a page of listings passes in one write.
	pipeBuffer = 256 << 10
)

// NewServer returns a gRPC server whose handlers get the caller's correlation id in their context and may return
// contract.Error. A panic or any other error is logged and becomes INTERNAL.
func NewServer(log *slog.Logger) *grpc.Server {
	return grpc.NewServer(
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.ChainUnaryInterceptor(serve(log)),
	)
}

// Dial connects to a service at a gRPC target such as "dns:///inventory:9090".
func Dial(target string) (*grpc.ClientConn, error) {
	return dial(target)
}

// Pipe is a listener and a connection that stay inside the process, for services composed into one binary.
type Pipe struct{ listener *bufconn.Listener }

// NewPipe returns an unconnected pipe.
func NewPipe() *Pipe { return &Pipe{listener: bufconn.Listen(pipeBuffer)} }

// Listener is what the server serves on.
func (p *Pipe) Listener() net.Listener { return p.listener }

// Dial connects a client to the pipe's server.
func (p *Pipe) Dial() (*grpc.ClientConn, error) {
	return dial("passthrough:///pipe", grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
		return p.listener.DialContext(ctx)
	}))
}

func dial(target string, opts ...grpc.DialOption) (*grpc.ClientConn, error) {
	opts = append(opts,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage)),
		grpc.WithChainUnaryInterceptor(call),
	)
	conn, err := grpc.NewClient(target, opts...)
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", target, err)
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
		if isInternal(wire) {
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

func isInternal(err error) bool {
	s, _ := status.FromError(err)
	return len(s.Details()) == 0
}
