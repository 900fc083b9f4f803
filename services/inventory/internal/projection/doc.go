// Package projection keeps the index equal to the INVENTORY stream: it starts with the last event of every vehicle and then
// follows. The index is a function of the stream alone. Start reading at projection.go; pipeline.go is how messages are decoded in
// parallel and applied in order, apply.go what each does to the index, lag.go how far behind it is.
package projection
