// Package tenant holds dealerships as data: the document that describes one, the bucket that keeps them and the live
// directory that every service reads. Adding a dealership needs no restart. Start reading at document.go.
package tenant
