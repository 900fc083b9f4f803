// Package tenants is the TENANTS bucket: the store of tenant documents, and the live directory of them that every service reads. Adding a
// dealership needs no restart. Start reading at store.go.
package tenants
