// Package platform holds what every service needs and none owns: the embedded broker, the event envelope, gRPC set-up,
// tenant documents, correlation and the admin endpoints. It imports contract and proto, and no service.
package platform
