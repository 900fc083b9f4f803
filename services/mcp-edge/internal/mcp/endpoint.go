package mcp

import (
	"bytes"
	"errors"
	"mime"
	"net/http"
	"os"
	"strings"

	"forecourt.internal/contract"
	"forecourt.internal/platform/correlation"
	"forecourt.internal/platform/tenant"
	"forecourt.internal/platform/tenants"
	"forecourt.internal/services/mcp-edge/internal/catalog"
	"forecourt.internal/services/mcp-edge/internal/skill"
)

// maxBody bounds a request body, in bytes (R-POST).
const maxBody = 1 << 20

// Endpoint serves the MCP URL of every tenant. The request's path value "tenant" names which. It is safe for concurrent use.
type Endpoint struct {
	tenants  *tenants.Directory
	catalog  *catalog.Catalog
	pipeline *skill.Pipeline
	loopback bool
}

// New builds an endpoint.
func New(tenants *tenants.Directory, tools *catalog.Catalog, pipeline *skill.Pipeline) *Endpoint {
	return &Endpoint{tenants: tenants, catalog: tools, pipeline: pipeline}
}

// OnLoopback returns a copy that also guards against DNS rebinding, for a listener that only this machine can reach.
func (e *Endpoint) OnLoopback() *Endpoint {
	local := *e
	local.loopback = true
	return &local
}

// ServeHTTP answers one message. The package comment has the order in which a request is judged.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	correlationID := correlationOf(r)
	w.Header().Set(headerCorrelation, correlationID)
	if r.Method != http.MethodPost {
		if !e.preflight(w, r) {
			w.Header().Set("Allow", http.MethodPost)
			writeError(w, asJSON, nil, refuse(http.StatusMethodNotAllowed, "Method not allowed: send one JSON-RPC message by POST"))
		}
		return
	}
	body := newBuffer()
	defer body.free()
	doc, ok := e.tenants.Get(r.PathValue("tenant"))
	if !ok {
		body.bytes, _ = readBody(w, r, body.bytes)
		m, _ := decode(body.bytes) // for its id
		writeError(w, asJSON, m.id, refuse(http.StatusNotFound, "No such dealership"))
		return
	}
	format, fault := e.admit(w, r, doc)
	if fault == nil {
		body.bytes, fault = readBody(w, r, body.bytes)
	}
	if fault != nil {
		writeError(w, format, nil, fault)
		return
	}
	m, fault := decode(body.bytes)
	if fault != nil {
		writeError(w, format, m.id, fault)
		return
	}
	e.serve(w, r, request{message: m, tenant: doc, correlationID: correlationID}, format)
}

// admit judges what is known of a request before its body is read, and chooses the format of the response.
func (e *Endpoint) admit(w http.ResponseWriter, r *http.Request, doc *tenant.Document) (format, *rpcError) {
	if !e.hostAllowed(r, doc) {
		return 0, refuse(http.StatusForbidden, "Forbidden: this host is not served here; let Host name the loopback or one of the dealership's origins")
	}
	if !e.originAllowed(r, doc) {
		return 0, refuse(http.StatusForbidden, "Forbidden: requests from this origin are not allowed")
	}
	allowOrigin(w.Header(), r)
	if !declaredJSON(r.Header) {
		return 0, refuse(http.StatusUnsupportedMediaType, "Unsupported media type: send Content-Type: application/json, unencoded")
	}
	format, ok := negotiate(r.Header["Accept"])
	if !ok {
		return 0, refuse(http.StatusNotAcceptable, "Not acceptable: accept application/json or text/event-stream")
	}
	return format, nil
}

// serve answers a message that has been decoded.
func (e *Endpoint) serve(w http.ResponseWriter, r *http.Request, req request, format format) {
	meta := readMeta(req.params.Meta)
	bodyRevision, _ := stringOf(meta.Revision)
	fault := checkMirrors(r.Header, &req.message, bodyRevision)
	if fault == nil {
		req.revision, fault = resolve(r.Header, &req.message, bodyRevision)
	}
	if fault == nil && req.current() && !req.notification() {
		fault = checkMeta(meta)
	}
	if fault != nil {
		writeError(w, format, req.id, fault)
		return
	}
	if req.notification() {
		w.WriteHeader(http.StatusAccepted) // no notification has an effect here: there is no session to start or call to cancel
		return
	}
	response := newBuffer()
	defer response.free()
	if response.bytes, fault = e.respond(r.Context(), req, response.bytes); fault != nil {
		writeError(w, format, req.id, fault)
		return
	}
	write(w, format, http.StatusOK, response.bytes)
}

// request is a message on its way to a method.
type request struct {
	message
	tenant        *tenant.Document
	revision      string
	correlationID string
}

func (r *request) current() bool { return r.revision == contract.RevisionCurrent }

// readBody appends the body to buf. A body that cannot be read whole gives a refusal and what there is of it.
func readBody(w http.ResponseWriter, r *http.Request, buf []byte) ([]byte, *rpcError) {
	body := bytes.NewBuffer(buf)
	_, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body.Bytes(), nil
	case errors.As(err, &tooLarge):
		return body.Bytes(), refuse(http.StatusRequestEntityTooLarge, "Content too large: a message has at most 1 MiB")
	case errors.Is(err, os.ErrDeadlineExceeded):
		return body.Bytes(), refuse(http.StatusRequestTimeout, "Request timeout: the body did not arrive in time")
	default:
		return body.Bytes(), badRequest(codeParse, "Parse error: the body could not be read")
	}
}

// declaredJSON says whether the headers declare a body of JSON in UTF-8, as it is. Headers that are given twice must agree.
func declaredJSON(h http.Header) bool {
	for _, encoding := range h["Content-Encoding"] {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return false
		}
	}
	for _, again := range h["Content-Type"][min(1, len(h["Content-Type"])):] {
		if again != h["Content-Type"][0] {
			return false
		}
	}
	media, parameters, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := parameters["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8"))
}

// correlationOf takes over the caller's correlation id when it is safe to log, and makes one otherwise.
func correlationOf(r *http.Request) string {
	id := r.Header.Get(headerCorrelation)
	if len(id) < 1 || len(id) > 128 {
		return correlation.New()
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '.', c == '_', c == ':', c == '-':
		default:
			return correlation.New()
		}
	}
	return id
}
