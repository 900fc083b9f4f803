// Package command is the command line of the forecourt binary: one file per command, each a function of its arguments and
// streams. Commands that reach a running system do so over NATS (connect.go) or, as an agent would, over MCP (call.go).
// Start reading at root.go.
package command
