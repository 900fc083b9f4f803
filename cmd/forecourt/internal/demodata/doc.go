// Package demodata is the dealership that `forecourt demo` starts with: a tenant document and one feed file per rooftop,
// taken in through the import that every dealership uses. The files are the data; seed.go puts them where they belong.
package demodata
