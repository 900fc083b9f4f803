// Package leads turns consented lead.submit requests into durable events, each exactly once (R-IDEM), and reads them back. Its
// root is what a binary composes: New, Run, Register and Ready for the service, Tail, Get and Outcomes for the command line.
//
// Inside, imports point one way: internal/wire (gRPC) → internal/app (the use case) → internal/domain (the rules) →
// internal/calendar (appointments), the last two pure. The rim, which app knows by the interfaces of its ports.go only, is
// internal/claims and internal/stock, which call the idempotency and inventory services, internal/eventlog, which is the LEADS
// stream, and internal/buyers, which knows from it who has asked before. Start reading at internal/app/submit.go.
package leads
