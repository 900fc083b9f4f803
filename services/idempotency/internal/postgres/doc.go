// Package postgres is the idempotency store on Postgres 14 or later, in a schema of its own, so that a database can be shared. What
// happens to rows are functions of the database, one round trip each (migrations/, rows.go). Rows are partitioned by the day of
// their last change and expire by whole days (partitions.go); waiters are woken by notifications (await.go, wakeups.go).
//
// Sessions keep settings, locks and LISTEN, so a connection pooler in between must pool sessions, not transactions.
package postgres
