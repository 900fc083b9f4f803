// Package world is the system that is measured: a broker, tenants with generated stock, and the inventory service, called without a
// network between. It uses only what the service offers to every process.
package world
