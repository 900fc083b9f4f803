package mcp

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// Header names, in the canonical form of net/http.
const (
	headerRevision    = "Mcp-Protocol-Version"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerCorrelation = "X-Correlation-Id"
)

// checkMirrors compares the headers that repeat the body with it (R-HDR). An absent one says nothing; one that is supplied
// must agree, every time it is, on both revisions. bodyRevision is "" when the body names none.
func checkMirrors(h http.Header, m *message, bodyRevision string) *rpcError {
	for i, value := range h[headerRevision] {
		switch {
		case i > 0 && trim(value) != trim(h[headerRevision][0]):
			return mismatch("is supplied with two values", headerRevision)
		case bodyRevision != "" && trim(value) != bodyRevision:
			return mismatch("does not match params._meta", headerRevision)
		}
	}
	for _, value := range h[headerMethod] {
		if trim(value) != m.method {
			return mismatch("does not match method", headerMethod)
		}
	}
	if !implemented(m.method) {
		return nil // what Mcp-Name repeats is a matter of the method
	}
	name, named := stringOf(m.params.Name)
	for _, value := range h[headerName] {
		decoded, ok := decodeName(trim(value))
		if !ok {
			return mismatch("is malformed", headerName)
		}
		if !named || m.method != methodCall || decoded != name {
			return mismatch("does not match params.name", headerName)
		}
	}
	return nil
}

func mismatch(how, header string) *rpcError {
	return badRequest(codeHeaderMismatch, "Header mismatch: "+header+" "+how)
}

// trim removes optional whitespace as HTTP means it (RFC 9110 §5.5).
func trim(value string) string { return strings.Trim(value, " \t") }

// The marks of a value that is sent as Base64 of its UTF-8 form.
const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// decodeName returns the name that a header value stands for; false when its encoding is broken or it has characters that a
// header may not hold.
func decodeName(value string) (string, bool) {
	rest, marked := strings.CutPrefix(value, encodedPrefix)
	if encoded, ok := strings.CutSuffix(rest, encodedSuffix); marked && ok {
		name, err := base64.StdEncoding.Strict().DecodeString(encoded)
		return string(name), err == nil
	}
	for i := range len(value) {
		if c := value[i]; (c < ' ' && c != '\t') || c > '~' {
			return "", false
		}
	}
	return value, true
}
