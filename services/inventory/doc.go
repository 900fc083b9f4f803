// Package inventory is the inventory service: feeds become events of the INVENTORY stream, the stream becomes an index in
// memory, and the index answers search, facets, vehicle and dealer information over gRPC.
//
// Start reading at service.go (what a process runs) and import.go (how a feed gets in). internal/feed reads files,
// internal/importer compares them with the stream, internal/eventlog is the stream, internal/projection and internal/index are
// the memory, internal/server and internal/cursor the face to callers.
package inventory
