// Package generate writes feeds of invented vehicles as inventory providers export them, for trials, demonstrations and
// measurements. A feed is a function of its seed: no clock, no floating point, no map order and no generator of random numbers
// whose stream may change, so that it has the same bytes on every machine and with every version of Go.
//
// Start reading at generate.go (the feed) and vehicle.go (how a vehicle is drawn). catalog.go says what the tables in
// models_*.go hold.
package generate
