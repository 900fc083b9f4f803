// Package buyers knows who has asked about what: it keeps the buyers of the leads of the tenants' current windows in memory, by hashes
// of their contacts and vehicles, so that a lead that comes again under another key is told from a new one. It is a function of the LEADS
// stream and of the windows in the tenants' documents, and can be thrown away. Start reading at index.go; follow.go is how it is filled,
// generation.go how it is stored, turns.go how leads of one buyer go one at a time.
package buyers
