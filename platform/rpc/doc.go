// Package rpc is gRPC as the services use it: servers and clients that carry the correlation id and turn a contract.Error
// into a status and back, over the network or inside the process. Start reading at rpc.go.
package rpc
