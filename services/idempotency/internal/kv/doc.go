// Package kv is the idempotency store on a JetStream key-value bucket, used when there is no Postgres. A row's revision is its
// sequence in the bucket's stream; rows expire with the bucket's TTL, counted from their last change.
package kv
