package feed

import (
	"bytes"
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
func (b *builder) readAAP(text []byte) error {
	b.feed.Dialect = dialectAAP
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
		b.addAAP(lines.at(end-len(element)), element)
	}
	if _, err := dec.ReadToken(); err != nil {
		return jsonError(&lines, err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return fmt.Errorf("the file goes on after the JSON array, line %d", lines.at(int(dec.InputOffset())))
	}
	if b.feed.Count == 0 {
		return errors.New("the JSON array holds no vehicle")
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
		b.reject(line, "", bad("the element is not a JSON object in UTF-8 with unique member names", "Write one object per vehicle."))
		return
	}
	b.feed.Count++
	d := &draft{line: line, vehicle: vehicle.Vehicle(object), columns: make(map[string]string)}
	b.normalize(d)
	b.finish(d)
}

// normalize gives the members of a vehicle the values that the contract has for what other systems write: null and a price of
// zero are absent, and words for status and condition are as free as in other feeds.
func (b *builder) normalize(d *draft) {
	v := d.vehicle
	for name, value := range v {
		if value == nil && vehicle.Known(name) && name != "charge_port" {
			delete(v, name)
		}
	}
	delete(v, "evidence") // the event that will record the row makes its own
	for _, price := range []string{"price", "list_price", "msrp"} {
		if n, ok := v.Number(price); ok && n == 0 {
			delete(v, price)
		}
	}
	if vin, ok := v["vin"].(string); ok {
		b.set(d, "vin", []cell{{"vin", vin}}, parseVIN)
	}
	if status, ok := v["status"].(string); ok {
		if isAbsent(status) {
			delete(v, "status") // which a listing must have
		} else {
			b.setStatus(d, cell{"status", status})
		}
	}
	if condition, ok := conditions[headerKey(v.Text("condition"))]; ok {
		v["condition"] = condition
	}
	if rooftop, ok := v["rooftop"].(string); ok {
		d.rooftops = []cell{{"rooftop", rooftop}}
		delete(v, "rooftop") // set again when it is one of the tenant
	}
}

// lineCounter turns ascending offsets into line numbers. Line ends are those of a CSV file.
type lineCounter struct {
	text         []byte
	offset, line int
}

func (c *lineCounter) at(offset int) int {
	offset = min(offset, len(c.text))
	if offset > c.offset {
		passed := c.text[c.offset:offset]
		c.line += bytes.Count(passed, []byte("\n")) + bytes.Count(passed, []byte("\r")) - bytes.Count(passed, []byte("\r\n"))
		c.offset = offset
	}
	return c.line
}
