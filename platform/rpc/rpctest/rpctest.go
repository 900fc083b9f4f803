// Package rpctest runs gRPC services inside a test, over the same server and client as in production.
package rpctest

import (
	"log/slog"
	"testing"

	"google.golang.org/grpc"

	"forecourt.internal/platform/rpc"
)

// Serve serves what register adds, until the test ends, and returns a connection to it.
func Serve(t testing.TB, log *slog.Logger, register func(grpc.ServiceRegistrar)) *grpc.ClientConn {
	t.Helper()
	pipe, server := rpc.NewPipe(), rpc.NewServer(log)
	register(server)
	go server.Serve(pipe.Listener())
	t.Cleanup(server.Stop)
	conn, err := pipe.Dial()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}
