// Package e2e drives the real forecourt binary as a process, over HTTP as an agent and with its own commands as an operator,
// and kills and restarts it on its data, embedded and on a NATS server and Postgres. What must survive that is tested here; what one
// service decides is tested there.
//
// Start reading in setup_test.go (the ways to run it), agent_test.go (a call as an agent makes it) and operator_test.go.
package e2e
