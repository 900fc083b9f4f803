// Package feed reads the files that dealers export and makes valid listings of them, with a report of every row that is not.
// It knows no stream. Start reading at read.go; records.go splits CSV, header.go tells
// what its columns are.
//
// A CSV dialect is one file: a table from fields to the header names that it uses (provider.go). What values mean is shared
// by all: values.go, money.go, text.go, status.go; draft.go turns what was read into a listing.
package feed
