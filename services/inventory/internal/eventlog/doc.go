// Package eventlog is the INVENTORY stream: full-state events of vehicles, one subject per vehicle, and confirmations, one subject per
// tenant. It opens the stream, encodes and decodes its messages, reads the last state of a tenant and appends to it. Start reading at
// event.go; append.go and batch.go write, current.go, history.go and follow.go read.
package eventlog
