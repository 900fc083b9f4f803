package mcp

import (
	"context"
	"net/http"
	"strings"

	"forecourt.internal/contract"
	"forecourt.internal/platform/version"
)

const (
	methodDiscover   = "server/discover"
	methodInitialize = "initialize"
	methodPing       = "ping"
	methodList       = "tools/list"
	methodCall       = "tools/call"
)

// Members of results that never change.
const (
	serverInfo   = `{"name":"forecourt","title":"Forecourt","version":"` + version.Version + `"}`
	serverMeta   = `"io.modelcontextprotocol/serverInfo":` + serverInfo
	capabilities = `"capabilities":{"tools":{}}`
	cacheHints   = `"ttlMs":300000,"cacheScope":"public"` // five minutes: dealerships seldom change what they offer
	instructions = `"instructions":"These tools belong to one car dealership. Ask for facets to learn which values exist, then ` +
		`search; prices are whole US dollars and price already includes every mandatory dealer fee. Submit a lead only after the ` +
		`buyer has agreed to be contacted, quote the agreement in consent_text, and retry an uncertain submission with the same ` +
		`idempotency_key. When a result is an aap.error, details.errors says what to change."`
)

// method appends the members of its result to buf.
type method func(e *Endpoint, ctx context.Context, req request, buf []byte) ([]byte, *rpcError)

// methodOf finds what a revision has by that name (R-DISC, R-LEG).
func methodOf(revision, name string) (method, bool) {
	current := revision == contract.RevisionCurrent
	switch {
	case name == methodCall:
		return (*Endpoint).call, true
	case name == methodList:
		return (*Endpoint).list, true
	case name == methodDiscover && current:
		return (*Endpoint).discover, true
	case name == methodInitialize && !current:
		return (*Endpoint).initialize, true
	case name == methodPing && !current:
		return (*Endpoint).ping, true
	default:
		return nil, false
	}
}

// implemented says whether any revision has the method.
func implemented(name string) bool {
	for _, revision := range contract.Revisions() {
		if _, ok := methodOf(revision, name); ok {
			return true
		}
	}
	return false
}

// respond appends the JSON-RPC response to a request. On a refusal the returned buffer holds nothing of use.
func (e *Endpoint) respond(ctx context.Context, req request, buf []byte) ([]byte, *rpcError) {
	method, ok := methodOf(req.revision, req.method)
	if !ok {
		fault := &rpcError{status: http.StatusOK, code: codeMethodNotFound, message: "Method not found"}
		if req.current() {
			fault.status = http.StatusNotFound
		}
		return buf, fault
	}
	buf = append(buf, `{"jsonrpc":"2.0","id":`...)
	buf = append(buf, req.id...)
	buf = append(buf, `,"result":{`...)
	if req.current() {
		buf = append(buf, `"resultType":"complete",`...)
	}
	buf, fault := method(e, ctx, req, buf)
	return append(buf, `}}`...), fault
}

func (e *Endpoint) discover(_ context.Context, _ request, buf []byte) ([]byte, *rpcError) {
	buf = append(buf, `"supportedVersions":["`+contract.RevisionCurrent+`","`+contract.RevisionLegacy+`"],`...)
	buf = append(buf, capabilities+`,`+instructions+`,`+cacheHints+`,"_meta":{`+serverMeta+`}`...)
	return buf, nil
}

// initialize answers with the legacy revision, whichever the client offers: it is the only one that starts this way.
func (e *Endpoint) initialize(_ context.Context, req request, buf []byte) ([]byte, *rpcError) {
	if _, ok := stringOf(req.params.ProtocolVersion); !ok {
		return buf, invalidParams("Invalid params: protocolVersion must be a string")
	}
	if req.params.Capabilities.Kind() != '{' || req.params.ClientInfo.Kind() != '{' {
		return buf, invalidParams("Invalid params: capabilities and clientInfo must be objects")
	}
	buf = append(buf, `"protocolVersion":"`+contract.RevisionLegacy+`",`...)
	return append(buf, capabilities+`,"serverInfo":`+serverInfo+`,`+instructions...), nil
}

func (e *Endpoint) ping(_ context.Context, _ request, buf []byte) ([]byte, *rpcError) {
	return buf, nil
}

// list returns all tools in one page (R-LIST), so no cursor is ever valid.
func (e *Endpoint) list(_ context.Context, req request, buf []byte) ([]byte, *rpcError) {
	if req.params.Cursor != nil {
		return buf, invalidParams("Invalid params: unknown cursor; the list has one page")
	}
	buf = append(buf, `"tools":`...)
	buf = append(buf, e.catalog.Tools(req.tenant).JSON...)
	buf = append(buf, `,`+cacheHints...)
	if req.current() {
		buf = append(buf, `,"_meta":{`+serverMeta+`}`...)
	}
	return buf, nil
}

// unknownTool tells an agent what it may call instead (R-ERR).
func unknownTool(names []string) *rpcError {
	return invalidParams("Unknown tool; this dealership has: " + strings.Join(names, ", "))
}
