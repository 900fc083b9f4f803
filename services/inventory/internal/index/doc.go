// Package index holds the stock of every tenant in memory and answers searches, facets and look-ups from it. It takes and
// returns values: no gRPC, no NATS. Start reading at index.go (the state), listing.go (what is kept of a listing) and
// search.go.
package index
