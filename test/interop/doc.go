// Package interop holds Forecourt to clients it does not control: the official Go and TypeScript SDKs, the MCP inspector
// and the MCP conformance runner, each against a real `forecourt demo` process.
//
// The Go SDK test belongs to the normal test run. Everything that needs node carries the build tag interop. Start reading
// in calls.json (what every client asks) and conformance-exceptions.yaml (which conformance checks do not hold, and why).
package interop
