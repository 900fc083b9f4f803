// Package eventlog is the INVENTORY stream: full-state events of vehicles, one subject per vehicle. It opens the stream,
// encodes and decodes its events, reads the last state of a tenant and appends to it. Start reading at event.go.
package eventlog
