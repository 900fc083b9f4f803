// Package idempotency serialises attempts under one idempotency key and remembers what came of them for the retention window
// (R-IDEM). Its root is what a binary composes: New, Register, Ready, Restore, Close.
//
// Inside, imports point one way: internal/wire (gRPC) → internal/app (Begin, Complete, Release, Restore over a Store) →
// internal/domain (what a row says to an attempt). internal/postgres and internal/kv are Stores, on Postgres and on JetStream;
// internal/storetest is the behaviour that every store must show. Start reading at internal/app/begin.go.
package idempotency
