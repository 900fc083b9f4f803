// Package rpc is gRPC as the services use it, over a network or inside one process: servers and clients that carry the
// correlation id and turn a contract.Error into a status and back. Start reading at rpc.go for what every call goes through, at
// dial.go and serve.go for the network; rpctest serves a service to a test.
package rpc
