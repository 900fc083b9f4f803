// Package event is the envelope of everything in the log: CloudEvents 1.0 in binary content mode on NATS, where attributes
// are "ce-" headers and the message body is the JSON data.
package event

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	specVersion = "1.0"
	contentType = "application/json"

	headerSpecVersion = "ce-specversion"
	headerID          = "ce-id"
	headerType        = "ce-type"
	headerSource      = "ce-source"
	headerSubject     = "ce-subject"
	headerTime        = "ce-time"
	headerDataSchema  = "ce-dataschema"
	headerContentType = "content-type"
	headerCorrelation = "correlation-id"
)

// ErrNotCloudEvent says that a message lacks a required CloudEvents attribute.
var ErrNotCloudEvent = errors.New("not a CloudEvent")

// Event is one CloudEvent with JSON data.
type Event struct {
	ID         string    // unique per source
	Type       string    // such as "forecourt.lead.submitted.v1"
	Source     string    // URI reference of the producer
	Subject    string    // what the event is about, such as a vehicle id
	Time       time.Time // when it happened
	DataSchema string    // URI of the data's JSON Schema
	// CorrelationID is the id of the call that caused the event; may be "".
	CorrelationID string
	Data          []byte
}

// Msg encodes the event as a message on a NATS subject.
func (e Event) Msg(subject string) *nats.Msg {
	h := make(nats.Header, 9)
	h[headerSpecVersion] = []string{specVersion}
	h[headerID] = []string{e.ID}
	h[headerType] = []string{e.Type}
	h[headerSource] = []string{e.Source}
	h[headerTime] = []string{e.Time.UTC().Format(time.RFC3339Nano)}
	h[headerContentType] = []string{contentType}
	setIf(h, headerSubject, e.Subject)
	setIf(h, headerDataSchema, e.DataSchema)
	setIf(h, headerCorrelation, e.CorrelationID)
	return &nats.Msg{Subject: subject, Header: h, Data: e.Data}
}

// FromMsg decodes a message's headers and body. It returns ErrNotCloudEvent, wrapped, when a required attribute is absent.
func FromMsg(h nats.Header, data []byte) (Event, error) {
	e := Event{
		ID:            first(h, headerID),
		Type:          first(h, headerType),
		Source:        first(h, headerSource),
		Subject:       first(h, headerSubject),
		DataSchema:    first(h, headerDataSchema),
		CorrelationID: first(h, headerCorrelation),
		Data:          data,
	}
	if v := first(h, headerSpecVersion); v != specVersion {
		return Event{}, fmt.Errorf("%w: %s is %q, want %q", ErrNotCloudEvent, headerSpecVersion, v, specVersion)
	}
	for _, name := range [...]string{headerID, headerType, headerSource} {
		if first(h, name) == "" {
			return Event{}, fmt.Errorf("%w: %s is absent", ErrNotCloudEvent, name)
		}
	}
	if t := first(h, headerTime); t != "" {
		at, err := time.Parse(time.RFC3339Nano, t)
		if err != nil {
			return Event{}, fmt.Errorf("%w: %s is not RFC 3339", ErrNotCloudEvent, headerTime)
		}
		e.Time = at
	}
	return e, nil
}

// first reads a header by its exact name: nats.Header does not fold case.
func first(h nats.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func setIf(h nats.Header, name, value string) {
	if value != "" {
		h[name] = []string{value}
	}
}
