package mcpedge_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestR_ACC(t *testing.T) {
	w := newWorld(t)
	type answer struct {
		Status int
		Type   string
	}
	json, event, neither := answer{200, "application/json"}, answer{200, "text/event-stream"}, answer{406, "application/json"}
	for accept, want := range map[string]answer{
		"":                                    json,
		"*/*":                                 json,
		"application/json":                    json,
		"application/*":                       json,
		"APPLICATION/JSON":                    json,
		"application/json; charset=utf-8":     json,
		"application/json, text/event-stream": json,
		"text/event-stream, application/json": json,
		"text/html, */*;q=0.1":                json,
		"text/event-stream;q=0.5, application/json;q=0.5": json,
		"application/json;q=high":                         json,

		"text/event-stream": event,
		"text/*":            event,
		"text/event-stream, application/json;q=0.5":  event,
		"application/json;q=0, text/event-stream":    event,
		"application/json;q=0, */*":                  event,
		"application/json;q=0.0, */*;q=0.1":          event,
		"application/*;q=0, text/event-stream;q=0.1": event,

		"text/html":            neither,
		"image/*":              neither,
		"*/*;q=0":              neither,
		"application/json;q=0": neither,
		"application/json;q=0, text/event-stream;q=0": neither,
		"application/json;q=0, text/*;q=0, */*":       neither,
		"application/jsonp":                           neither,
	} {
		t.Run(accept, func(t *testing.T) {
			got := w.post("alpha", current("server/discover"), "Accept", accept)
			if diff := cmp.Diff(want, answer{got.status, got.header.Get("Content-Type")}); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("several headers count as one", func(t *testing.T) {
		got := w.post("alpha", current("server/discover"), "Accept", "text/html", "Accept", "application/json")
		if got.status != 200 {
			t.Errorf("status = %d, want 200", got.status)
		}
	})
}

func TestR_ACC_EventStreamIsOneEventWithTheResponse(t *testing.T) {
	w := newWorld(t)
	// A listing with line breaks between its tokens must not break the framing.
	w.inventory.answer(stock{listing: strings.ReplaceAll(listingA, `,"`, ",\r\n \"")})
	request := current("tools/call", `"name":"aap_inventory_vehicle"`, `"arguments":{"type":"inventory.vehicle.request","vehicle_id":"a"}`)
	plain := w.post("alpha", request, "X-Correlation-ID", "c")
	event := w.post("alpha", request, "X-Correlation-ID", "c", "Accept", "text/event-stream")
	if got := event.header.Get("X-Accel-Buffering"); got != "no" {
		t.Errorf("X-Accel-Buffering = %q, want no", got)
	}
	lines, ended := strings.CutSuffix(event.raw, "\n\n")
	first, data, _ := strings.Cut(lines, "\n")
	if first != "event: message" || !ended || strings.Contains(event.raw, "\r") { // a lone CR would end a line too
		t.Fatalf("not one event: %q", event.raw)
	}
	var message strings.Builder
	for line := range strings.SplitSeq(data, "\n") {
		text, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			t.Fatalf("line %q is not data", line)
		}
		message.WriteString(text + "\n")
	}
	header := plain.header.Clone()
	if diff := cmp.Diff(plain.body, readReply(t, 200, header, []byte(message.String())).body); diff != "" {
		t.Errorf("the event differs from the JSON response (-JSON +event):\n%s", diff)
	}
}

func TestR_ACC_RefusalsWithAnErrorStatusAreJSON(t *testing.T) {
	w := newWorld(t)
	for name, tc := range map[string]struct {
		body, contentType string
	}{
		"error status": {current("nope"), "application/json"},
		"status 200":   {current("tools/call", `"name":"nope"`), "text/event-stream"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := w.post("alpha", tc.body, "Accept", "text/event-stream").header.Get("Content-Type"); got != tc.contentType {
				t.Errorf("Content-Type = %q, want %q", got, tc.contentType)
			}
		})
	}
}
