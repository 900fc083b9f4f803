// Package wire is the gRPC side of the idempotency service: it checks the shape of requests, calls the use cases and decides
// the status of their failures.
package wire
