// Package boot is the life of a service's own binary: settings from the environment, the admin endpoint, the connection to NATS,
// what runs in the background, the line "ready", and a drain in order when the process is told to end. Start reading at main.go
// and process.go; settings.go and values.go say how settings are read and what is refused.
//
// It imports no service. The one-process binary uses its parts without Main.
package boot
