package mcp

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxNesting bounds objects and arrays inside each other in a message; the deepest valid lead needs fewer than ten levels.
	maxNesting = 64
	// maxValues bounds the values in a message. What a value costs on its way through validation and the leads service is far more than
	// the bytes that it takes; a lead with everything in it has some hundred.
	maxValues = 10_000
)

// message is a JSON-RPC request or notification with the members of its params that this binding reads. Other members are
// ignored; names match by case.
type message struct {
	id     jsontext.Value // a string or an integer as it was sent; nil in a notification
	method string
	params params
}

func (m *message) notification() bool { return m.id == nil }

type params struct {
	Meta      jsontext.Value `json:"_meta"`
	Name      jsontext.Value `json:"name"`
	URI       jsontext.Value `json:"uri"`
	Arguments jsontext.Value `json:"arguments"`
	Cursor    jsontext.Value `json:"cursor"`

	// Of initialize.
	ProtocolVersion jsontext.Value `json:"protocolVersion"`
	Capabilities    jsontext.Value `json:"capabilities"`
	ClientInfo      jsontext.Value `json:"clientInfo"`
}

// decode reads a request body (R-POST). It refuses duplicate member names and invalid UTF-8 anywhere in it. On a refusal the
// message still holds the id if that could be read.
func decode(body []byte) (message, *rpcError) {
	var m message
	if fault := checkSize(body); fault != nil {
		return m, fault
	}
	var envelope struct {
		JSONRPC jsontext.Value `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Method  jsontext.Value `json:"method"`
		Params  jsontext.Value `json:"params"`
		Result  jsontext.Value `json:"result"`
		Error   jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return m, undecodable(err)
	}
	if envelope.ID != nil {
		if !validID(envelope.ID) {
			return m, badRequest(codeInvalidRequest, "Invalid request: id must be a string or an integer")
		}
		m.id = envelope.ID
	}
	if version, ok := stringOf(envelope.JSONRPC); !ok || version != "2.0" {
		return m, badRequest(codeInvalidRequest, `Invalid request: jsonrpc must be "2.0"`)
	}
	if envelope.Result != nil || envelope.Error != nil {
		// No request ever goes out from here, so there is nothing that a response could answer.
		if envelope.Method == nil {
			m.id = nil
		}
		return m, badRequest(codeInvalidRequest, "Invalid request: this endpoint takes no responses")
	}
	method, ok := stringOf(envelope.Method)
	if !ok || method == "" {
		return m, badRequest(codeInvalidRequest, "Invalid request: method must be a string")
	}
	m.method = method
	if m.notification() && implemented(method) {
		return m, badRequest(codeInvalidRequest, "Invalid request: this method needs an id")
	}
	if envelope.Params == nil {
		return m, nil
	}
	if err := json.Unmarshal(envelope.Params, &m.params); err != nil || envelope.Params.Kind() != '{' {
		return m, badRequest(codeInvalidRequest, "Invalid request: params must be an object")
	}
	return m, nil
}

func undecodable(err error) *rpcError {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return badRequest(codeParse, "Parse error: an object has two members of the same name")
	case !errors.As(err, &syntax):
		return badRequest(codeInvalidRequest, "Invalid request: the body must be one JSON-RPC object; batches are not supported")
	default:
		return badRequest(codeParse, "Parse error: the body is not JSON")
	}
}

// validID accepts what both revisions allow: a string or an integer, not null.
func validID(id jsontext.Value) bool {
	switch id.Kind() {
	case '"':
		return true
	case '0':
		for _, c := range id {
			if c == '.' || c == 'e' || c == 'E' {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// stringOf returns the text of a JSON string, and false for any other value or none.
func stringOf(v jsontext.Value) (string, bool) {
	if v.Kind() != '"' {
		return "", false
	}
	text, err := jsontext.AppendUnquote(nil, v)
	return string(text), err == nil
}

// closes says whether the next thing after white space is a closing bracket.
func closes(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && (rest[0] == '}' || rest[0] == ']')
}

// checkSize refuses a body that nests too deeply or holds too many values. It needs no valid JSON and does not recurse.
func checkSize(body []byte) *rpcError {
	depth, values, quoted := 0, 1, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return badRequest(codeParse, "Parse error: the JSON is nested too deeply")
			}
			if !closes(body[i+1:]) {
				values++ // its first; each other one follows a comma
			}
		case c == '}' || c == ']':
			depth--
		case c == ',':
			values++
		}
	}
	if values > maxValues {
		return badRequest(codeParse, "Parse error: the JSON holds too many values")
	}
	return nil
}
