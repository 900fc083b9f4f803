package feed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
	"forecourt.internal/services/inventory/internal/vehicle"
)

const dialectAAP = "aap-json"

// readAAP reads a JSON array of vehicles in the contract's own shape. A text that is not JSON is refused whole; an element that
// is no good vehicle is a problem of its own.
func (b *builder) readAAP(r io.Reader) error {
	b.feed.Dialect = dialectAAP
	text, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read feed: %w", err)
	}
	// Duplicate names and broken UTF-8 are the fault of one element, found when it is decoded.
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	lines := lineCounter{text: text, line: 1}
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(&lines, err)
	}
	for dec.PeekKind() != ']' {
		element, err := dec.ReadValue()
		if err != nil {
			return jsonError(&lines, err)
		}
		end := int(dec.InputOffset())
		b.feed.Count++
		b.addAAP(lines.at(end-len(element)), element)
	}
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(&lines, err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("the file goes on after the JSON array, line %d", lines.at(int(dec.InputOffset())))
	}
	return nil
}

// jsonError keeps the place and drops the library's text, which may quote the input.
func jsonError(lines *lineCounter, err error) error {
	at := len(lines.text)
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = int(syntax.ByteOffset)
	}
	return fmt.Errorf("the file is not valid JSON, at line %d; nothing was imported", lines.at(at))
}

func (b *builder) addAAP(line int, element []byte) {
	value, err := contract.DecodeJSON(element)
	object, isObject := value.(map[string]any)
	if err != nil || !isObject {
		b.feed.Rejected++
		b.problem(line, "", bad("the element is not a JSON object with unique member names", "Write one object per vehicle."))
		return
	}
	v := vehicle.Vehicle(object)
	d := &draft{line: line, vehicle: v, columns: make(map[string]string), gone: !listedStatuses[v.Text("status")]}
	d.rooftops = []cell{{column: "rooftop", text: v.Text("rooftop")}}
	if _, stated := v["status"].(string); !stated {
		d.gone = false // the schema says what is missing
	}
	if d.gone && !goneStatuses[headerKey(v.Text("status"))] {
		b.warn(line, "status", unknownStatus)
	}
	for name, value := range v {
		switch {
		case value == nil && vehicle.Known(name) && name != "charge_port":
			delete(v, name)
		case name == "evidence": // the event that will record the row makes its own
			delete(v, name)
		case name == "price" || name == "list_price" || name == "msrp":
			if n, ok := value.(json.Number); ok && isZero(n) { // a price of zero means none
				delete(v, name)
			}
		case name == "rooftop":
			if _, ok := value.(string); ok {
				delete(v, name) // set again when it is a rooftop of the tenant
			}
		}
	}
	b.finish(d)
}

func isZero(n json.Number) bool {
	f, err := n.Float64()
	return err == nil && f == 0
}

// lineCounter turns ascending offsets into line numbers.
type lineCounter struct {
	text         []byte
	offset, line int
}

func (c *lineCounter) at(offset int) int {
	offset = min(offset, len(c.text))
	if offset > c.offset {
		c.line += bytes.Count(c.text[c.offset:offset], []byte{'\n'})
		c.offset = offset
	}
	return c.line
}
