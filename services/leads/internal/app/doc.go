// Package app holds the use case of the leads service: taking a lead, once. What it needs of the other services and of the log is
// in ports.go; it knows no gRPC and no NATS. Start reading at submit.go.
package app
