// Package tenant holds dealerships as data: the document that describes one, its schema and its rules. Package tenants keeps and
// watches the documents. Start reading at document.go.
package tenant
