package mcp

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// meta is what this binding reads of params._meta.
type meta struct {
	Revision     jsontext.Value `json:"io.modelcontextprotocol/protocolVersion"`
	Capabilities jsontext.Value `json:"io.modelcontextprotocol/clientCapabilities"`
}

func readMeta(raw jsontext.Value) meta {
	var m meta
	if raw.Kind() == '{' {
		json.Unmarshal(raw, &m) // cannot fail: an object that has been decoded before, into raw values
	}
	return m
}

// resolve decides which revision a request is of (R-VER): the one that its body or header names. Only the handshake of the legacy
// revision may name none. Headers have been found to agree with the body.
func resolve(h http.Header, m *message, bodyRevision string) (string, *rpcError) {
	revision := bodyRevision
	if revision == "" {
		revision = trim(h.Get(headerRevision))
	}
	if revision == "" && (m.method == methodInitialize || m.notification()) {
		return contract.RevisionLegacy, nil
	}
	if !slices.Contains(contract.Revisions(), revision) {
		return "", unsupportedRevision(revision)
	}
	return revision, nil
}

// checkMeta holds a request of the current revision to its required metadata (R-META). Client information may be absent and is
// not looked at: it identifies nobody.
func checkMeta(meta meta) *rpcError {
	if _, ok := stringOf(meta.Revision); !ok {
		return badRequest(codeInvalidParams, "Invalid params: _meta needs io.modelcontextprotocol/protocolVersion, a string")
	}
	if meta.Capabilities.Kind() != '{' {
		return badRequest(codeInvalidParams, "Invalid params: _meta needs io.modelcontextprotocol/clientCapabilities, an object")
	}
	return nil
}
