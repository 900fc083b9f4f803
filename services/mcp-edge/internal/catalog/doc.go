// Package catalog holds the documents that describe an endpoint rather than answer a call: the tools of a dealership and the
// contract's schema files. All are encoded once and shared. Start reading at catalog.go.
package catalog
