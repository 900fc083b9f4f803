// Package rpc is gRPC as the services use it inside one process: servers and clients that carry the correlation id and turn a
// contract.Error into a status and back. Start reading at rpc.go; rpctest serves a service to a test.
package rpc
