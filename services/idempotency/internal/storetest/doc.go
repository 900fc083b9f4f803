// Package storetest is the behaviour that every app.Store must show, alone and under the use cases. Its own test holds all stores
// against it; what passes may stand behind the service. Start reading at suite.go.
package storetest
