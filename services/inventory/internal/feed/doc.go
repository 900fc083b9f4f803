// Package feed reads the files that dealers export and makes valid listings of them, with a report of every row that is not.
// It knows no stream. Start reading at read.go.
//
// Text comes in through encoding.go; records.go splits CSV, jsonarray.go and jsonlines.go JSON, and batch.go shares the rows out. A dialect is
// one file, a table from fields to the headers that it uses (provider.go, google.go, meta.go, aap_columns.go); dialect.go recognises it,
// mapping.go puts the tenant's own headers above it, and layout.go is the outcome. fill.go reads a row with what values mean in all
// dialects: number.go, money.go, mileage.go, dates.go, vin.go, lists.go, text.go, status.go, condition.go. draft.go makes a listing of what was
// read, at a rooftop (rooftop.go), under an id (identity.go, twins.go).
package feed
