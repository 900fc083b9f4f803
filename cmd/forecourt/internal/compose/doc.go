// Package compose runs every service in one process: gRPC stays in memory, the log is the embedded broker's on disk or a real one's.
// Start reading at run.go, which is the life of the process from the lock on its data to the last drained call.
package compose
