// Package mcpedge is the edge: the public HTTP endpoint of every dealership. It keeps no state; the services behind it are
// reached through gRPC only.
//
// internal/skill carries out skills for every binding, internal/mcp is the MCP binding, internal/catalog the published
// documents. Start reading at edge.go for the paths, at internal/skill/pipeline.go for what a call goes through.
package mcpedge
