// Package domain holds what a lead is and the rules for taking one: values in, values out, with the time handed in. It knows no
// gRPC and no NATS. Start reading at lead.go.
package domain
