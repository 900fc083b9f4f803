// Package projection keeps the index equal to the INVENTORY stream: it starts with the last event of every vehicle and then
// follows. The index is a function of the stream alone. Start reading at projection.go.
package projection
