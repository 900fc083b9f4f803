// Package idempotency serialises attempts under one idempotency key and remembers what came of them for the retention window
// (R-IDEM). Its root is what a binary composes: New, Register, Ready.
//
// Inside, imports point one way: internal/wire (gRPC) → internal/app (Begin, Complete, Release over a Store) →
// internal/domain (what a row says to an attempt). internal/kv is a Store on JetStream; internal/storetest is the behaviour
// that every store must show. Start reading at internal/app/begin.go.
package idempotency
