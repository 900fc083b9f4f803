// Package skill runs an AAP skill the same way for every binding: the call is validated, carried out by the service behind
// it, its response held against the contract, and the whole recorded in one log line.
//
// A binding turns wire bytes into a Call and a Result back into wire bytes; nothing here knows any binding. Start reading at
// pipeline.go.
package skill
