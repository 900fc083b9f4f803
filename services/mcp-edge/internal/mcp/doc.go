// Package mcp is the MCP binding: Streamable HTTP for the revisions 2026-07-28 (current) and 2025-11-25 (legacy), stateless in
// both. It turns one POST into one skill.Call, or into one of the few methods that describe the endpoint.
//
// A request that breaks several rules is told about the first of these, in this order:
//
//  1. the method is POST, else 405 (a browser's preflight from an allowed origin is answered)
//  2. the tenant exists, else 404
//  3. Origin and, on a loopback listener, Host are allowed, else 403 (R-ORIG)
//  4. the body is declared as JSON, else 415
//  5. JSON or SSE is acceptable, else 406 (R-ACC)
//  6. the body is at most 1 MiB, else 413, and arrives in time, else 408; it is JSON of bounded size and depth (-32700) and one JSON-RPC request or notification (-32600), else 400
//     (R-POST)
//  7. supplied headers agree with the body, else 400 with -32020 (R-HDR)
//  8. the revision is known, else 400 with -32022 (R-VER)
//  9. a request of the current revision has its metadata, else 400 with -32602 (R-META)
//  10. the revision has the method, else -32601 (with 404 on the current revision)
//
// Refusals 1 to 6 carry -32600 unless another code is named. An error has the id of its request as soon as that could be read.
// Errors with a status of 400 and above are always JSON, whatever Accept says.
//
// Start reading at endpoint.go.
package mcp
