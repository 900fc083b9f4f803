package compose

import (
	"log/slog"
	"slices"

	"google.golang.org/grpc"

	"forecourt.internal/platform/rpc"
)

// hosts are the gRPC servers of the process, each behind a pipe of its own, in the order in which they were added: a
// service comes after those it calls.
type hosts []host

type host struct {
	server *grpc.Server
	conn   *grpc.ClientConn
}

// add starts a server with one service and returns a connection to it.
func (h *hosts) add(log *slog.Logger, register func(grpc.ServiceRegistrar)) (*grpc.ClientConn, error) {
	pipe := rpc.NewPipe()
	conn, err := pipe.Dial()
	if err != nil {
		return nil, err
	}
	server := rpc.NewServer(log)
	register(server)
	go server.Serve(pipe.Listener()) // ends with stop; a pipe has no other way to fail
	*h = append(*h, host{server: server, conn: conn})
	return conn, nil
}

// stop lets every call finish, callers before those they call.
func (h hosts) stop() {
	for _, host := range slices.Backward(h) {
		host.server.GracefulStop()
		host.conn.Close()
	}
}
