// Command bench measures the inventory service: what a search costs against the size of the stock, what a vehicle costs in memory,
// and how fast a replica reads the stream. Every figure stands beside that of a peer that is measured in the same run: a scan of
// the same vehicles, their canonical JSON, a consumer that does nothing with what it reads.
//
// Start reading at main.go. search.go, memory.go and replay.go are the subjects; internal/world is the system that is measured,
// internal/scan the scan, figure.go and table.go what is printed. Nothing may import this module.
package main
