// Package app holds the four use cases of the idempotency service, one per file, over the Store that it defines. It knows
// neither gRPC nor the engine of a store. Start reading at begin.go.
package app
