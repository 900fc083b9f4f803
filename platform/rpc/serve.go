package rpc

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
)

const (
	// drainWithin bounds how long calls in flight are waited for: more than any call takes.
	drainWithin = 25 * time.Second
	// maxAge is when a connection is replaced, so that a replica that was added gets its share of the calls.
	maxAge = 5 * time.Minute
)

// Serve answers on the listener until ctx is done: the services that register adds, and gRPC's health service, which says SERVING
// until then. It then takes no more calls, lets those in flight end, and returns nil; it returns an error when that takes longer
// than 25 seconds and the rest had to be cut off. Clients may ping as often as those of Dial do.
func Serve(ctx context.Context, l net.Listener, log *slog.Logger, register func(grpc.ServiceRegistrar)) error {
	server := NewServer(log,
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: pingAfter / 2, PermitWithoutStream: true}),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: 3 * pingAfter, Timeout: pingAfter, MaxConnectionAge: maxAge, MaxConnectionAgeGrace: drainWithin,
		}),
	)
	register(server)
	state := health.NewServer() // says SERVING for "", the whole server
	healthv1.RegisterHealthServer(server, state)

	drained := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		state.Shutdown()
		drained <- drain(server, drainWithin)
	})
	if err := server.Serve(l); err != nil && ctx.Err() == nil {
		stop()
		return fmt.Errorf("serve gRPC on %s: %w", l.Addr(), err)
	}
	return <-drained
}

// drain lets calls in flight end, and cuts them off after the given time.
func drain(server *grpc.Server, within time.Duration) error {
	done := make(chan struct{})
	go func() {
		server.GracefulStop()
		close(done)
	}()
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case <-done:
		return nil
	case <-late.C:
		server.Stop() // ends the other one too
		return fmt.Errorf("drain gRPC: calls were still in flight after %s", within)
	}
}
