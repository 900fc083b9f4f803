// Package version is the version of this software, not of AAP or MCP.
package version

// Version is the release by semantic versioning, as `forecourt version` prints it and the MCP edge states it in its server info.
const Version = "0.1.0"
