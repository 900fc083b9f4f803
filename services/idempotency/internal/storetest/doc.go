// Package storetest is the behaviour that every app.Store must show, alone and under the use cases. A store's own test calls
// Run; what passes here may stand behind the service. Start reading at suite.go.
package storetest
