package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"

	"forecourt.internal/contract"
)

// cacheControl lets shared caches keep the public documents for as long as tools/list may be kept.
const cacheControl = "public, max-age=300"

// Document is a published file that changes only by being replaced.
type Document struct {
	body        []byte
	contentType string
	etag        string // strong: it names the bytes
}

func newDocument(body []byte, contentType string) Document {
	sum := sha256.Sum256(body)
	return Document{body: body, contentType: contentType, etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`}
}

// ServeHTTP answers GET and HEAD, with 304 to a matching If-None-Match.
func (d Document) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", d.contentType)
	h.Set("ETag", d.etag)
	h.Set("Cache-Control", cacheControl)
	h.Set("X-Content-Type-Options", "nosniff")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
}

// Schemas returns the contract's schema files by name (R-TOOL): the files that the canonical schema URLs of a tool stand for.
func Schemas() map[string]Document {
	files := make(map[string]Document)
	for _, name := range contract.SchemaFiles() {
		if body, ok := contract.SchemaFile(name); ok {
			files[name] = newDocument(body, "application/schema+json")
		}
	}
	return files
}
