// Package index holds the stock of every tenant in memory and answers searches, facets and look-ups from it. It takes and
// returns values: no gRPC, no NATS.
//
// A tenant's stock is a view: a few immutable segments and a short list of the newest listings, the delta. Readers load the
// view once and never wait; a writer publishes another. A full delta becomes a segment, segments of like size become one.
// Start reading at index.go (what callers use), view.go and lot.go (reading and writing), segment.go and column.go (what is
// kept of listings), filter.go and clause.go (how a filter finds documents).
package index
