// Package scan answers searches and facets by looking at every vehicle: the peer that the index is measured against. It takes what a
// scan can take from preparation — facts parsed once, texts as small numbers, a bounded list of the first matches — and knows just
// the filters that the bench asks for. Start reading at stock.go.
package scan
