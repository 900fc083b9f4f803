// Package server is the gRPC face of the service: it turns requests into queries of the index, and what the index and the
// tenant documents say into responses and contract errors. One method per file. Start reading at server.go.
package server
