// Package pgtest gives tests a real Postgres server on the loopback interface.
//
// Tests take a Database. Harnesses that kill the server Start one of their own. The server's programs come from the machine
// (binaries.go); it syncs what it commits, as in production, and ends with the process that started it, whatever ends that
// (guard.go). Only tests and tools may import it.
package pgtest
