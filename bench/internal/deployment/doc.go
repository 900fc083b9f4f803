// Package deployment runs the system as it runs in production, less the network: each service, the NATS server and Postgres are
// processes of their own, built without the race detector, and every write is synced. Start reading at deployment.go.
package deployment
