// Package domain says what a row under an idempotency key means to an attempt: values in, values out, no store and no clock.
// Start reading at row.go.
package domain
