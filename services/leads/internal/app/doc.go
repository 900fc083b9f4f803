// Package app holds the use case of the leads service: taking a lead, once. Start reading at submit.go.
package app
