// Command bench measures what Forecourt promises: what a search costs against the size of the stock, what a vehicle costs in memory,
// how fast a replica reads the stream, and how many leads go through the whole path. Every figure stands beside that of a peer that is
// measured in the same run: a scan of the same vehicles, their canonical JSON, a consumer that does nothing with what it reads, bare
// publishes of the same bytes.
//
// Start reading at main.go. search.go, memory.go, replay.go and lead.go are the subjects; internal/world is the inventory service,
// internal/scan the scan, internal/deployment the system as processes, figure.go and table.go what is printed. Nothing may import this
// module.
package main
