// Package watch imports the files that appear in a directory: complete ones only, those of a tenant in their order of arrival, those of
// different tenants at the same time. An imported file is moved to imported/ beside it and one that cannot be to failed/, so that a
// restart does not import it again; a file whose import could not be finished stays where it is and is tried again.
//
// It knows nothing of feeds: what is done with a file is a function (import.go). Start reading at watch.go, which is the loop; tree.go
// says what is in the directory, arrivals.go when a file is complete, lanes.go whose turn it is, take.go what becomes of it.
package watch
