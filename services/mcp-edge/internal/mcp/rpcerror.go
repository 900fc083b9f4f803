package mcp

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// The JSON-RPC and MCP error codes in use.
const (
	codeParse               = -32700
	codeInvalidRequest      = -32600
	codeMethodNotFound      = -32601
	codeInvalidParams       = -32602
	codeHeaderMismatch      = -32020
	codeUnsupportedRevision = -32022
)

// rpcError is a refusal: a JSON-RPC error and the HTTP status that it comes with. No message repeats what the caller sent.
type rpcError struct {
	status  int
	code    int
	message string
	data    *revisions // of codeUnsupportedRevision
}

// revisions is the data of an UnsupportedProtocolVersionError.
type revisions struct {
	Supported []string `json:"supported"`
	Requested string   `json:"requested"` // "" when the request names none
}

func refuse(status int, message string) *rpcError {
	return &rpcError{status: status, code: codeInvalidRequest, message: message}
}

func badRequest(code int, message string) *rpcError {
	return &rpcError{status: http.StatusBadRequest, code: code, message: message}
}

func invalidParams(message string) *rpcError {
	return &rpcError{status: http.StatusOK, code: codeInvalidParams, message: message}
}

// maxRequested bounds, in bytes, what of a requested revision is repeated; a real one has ten.
const maxRequested = 64

func unsupportedRevision(requested string) *rpcError {
	requested = strings.ToValidUTF8(requested[:min(len(requested), maxRequested)], "")
	message := "Unsupported protocol version"
	if requested == "" {
		message = "The request names no protocol version; send MCP-Protocol-Version or params._meta"
	}
	return &rpcError{
		status: http.StatusBadRequest, code: codeUnsupportedRevision, message: message,
		data: &revisions{Supported: contract.Revisions(), Requested: requested},
	}
}

// errorResponse is the JSON form; an id that is absent or unreadable is left out, as both revisions want it.
type errorResponse struct {
	JSONRPC string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitempty"`
	Error   errorObject    `json:"error"`
}

type errorObject struct {
	Code    int        `json:"code"`
	Message string     `json:"message"`
	Data    *revisions `json:"data,omitempty"`
}
