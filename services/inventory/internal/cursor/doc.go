// Package cursor makes and reads the cursors of inventory searches (R-CUR): opaque, signed, bound to what was asked, and
// expiring. Start reading at cursor.go; key.go keeps the signing key that all replicas share.
package cursor
