// Package compose runs every service in one process over the embedded broker: gRPC stays in memory, the log is on disk.
// Start reading at run.go, which is the life of the process from the lock on its data to the last drained call.
package compose
