package mcp

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// writeError answers with a JSON-RPC error; id is nil when it could not be read. One that comes with an error status is JSON
// in any case.
func writeError(w http.ResponseWriter, format format, id jsontext.Value, fault *rpcError) {
	body, err := json.Marshal(errorResponse{
		JSONRPC: "2.0", ID: id, Error: errorObject{Code: fault.code, Message: fault.message, Data: fault.data},
	})
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if fault.status != http.StatusOK {
		format = asJSON
	}
	write(w, format, fault.status, body)
}

// write sends one JSON-RPC message as the whole response.
func write(w http.ResponseWriter, format format, status int, message []byte) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	if format == asEvent {
		h.Set("Content-Type", "text/event-stream")
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Accel-Buffering", "no")
		event := newBuffer()
		defer event.free()
		event.bytes = appendEvent(event.bytes, message)
		message = event.bytes
	} else {
		h.Set("Content-Type", "application/json")
	}
	h.Set("Content-Length", strconv.Itoa(len(message)))
	w.WriteHeader(status)
	w.Write(message) // a client that has gone away needs no answer
}

// appendEvent writes a message as one server-sent event. A line break can only be white space between JSON tokens; the client
// joins the lines again.
func appendEvent(dst, message []byte) []byte {
	dst = append(dst, "event: message\ndata: "...)
	for _, c := range message {
		if c == '\n' || c == '\r' {
			dst = append(dst, "\ndata: "...)
			continue
		}
		dst = append(dst, c)
	}
	return append(dst, "\n\n"...)
}

// keepAtMost is the capacity, in bytes, up to which a buffer is kept for another request; a page of 100 listings fits.
const keepAtMost = 1 << 20

// buffer is a byte slice that is used again.
type buffer struct{ bytes []byte }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func newBuffer() *buffer { return buffers.Get().(*buffer) }

// free gives the buffer back; its bytes must not be used afterwards.
func (b *buffer) free() {
	if cap(b.bytes) <= keepAtMost {
		b.bytes = b.bytes[:0]
		buffers.Put(b)
	}
}
