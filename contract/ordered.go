package contract

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// ordered is a JSON object whose members keep their order, so that a tool's schema reads as its authors wrote it and
// has the same bytes every time. Values are ordered, []any, or jsontext.Value for scalars.
type ordered []member

type member struct {
	name  string
	value any
}

func (o ordered) get(name string) (any, bool) {
	for _, m := range o {
		if m.name == name {
			return m.value, true
		}
	}
	return nil, false
}

// object returns a member that is an object, and an empty object otherwise.
func (o ordered) object(name string) ordered {
	v, _ := o.get(name)
	sub, _ := v.(ordered)
	return sub
}

func scalarText(v any) string {
	raw, ok := v.(jsontext.Value)
	if !ok || raw.Kind() != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return ""
	}
	return string(s)
}

// without returns a copy that lacks some members.
func (o ordered) without(names ...string) ordered {
	out := make(ordered, 0, len(o))
next:
	for _, m := range o {
		for _, name := range names {
			if m.name == name {
				continue next
			}
		}
		out = append(out, m)
	}
	return out
}

// with returns a copy in which a member has a value: in its place when it exists, else at the end.
func (o ordered) with(name string, value any) ordered {
	out := append(ordered(nil), o...)
	for i := range out {
		if out[i].name == name {
			out[i].value = value
			return out
		}
	}
	return append(out, member{name, value})
}

func str(s string) jsontext.Value {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(fmt.Sprintf("quote %q: %v", s, err)) // only invalid UTF-8 in our own text
	}
	return b
}

func parseOrdered(b []byte) (any, error) {
	return readOrdered(jsontext.NewDecoder(bytes.NewReader(b)))
}

func readOrdered(dec *jsontext.Decoder) (any, error) {
	switch dec.PeekKind() {
	case '{':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		object := ordered{}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			value, err := readOrdered(dec)
			if err != nil {
				return nil, err
			}
			object = append(object, member{key, value})
		}
		_, err := dec.ReadToken()
		return object, err
	case '[':
		if _, err := dec.ReadToken(); err != nil {
			return nil, err
		}
		list := []any{}
		for dec.PeekKind() != ']' {
			value, err := readOrdered(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := dec.ReadToken()
		return list, err
	default:
		value, err := dec.ReadValue()
		return value.Clone(), err
	}
}

func encodeOrdered(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := jsontext.NewEncoder(&buf)
	if err := writeOrdered(enc, v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

func writeOrdered(enc *jsontext.Encoder, v any) error {
	switch v := v.(type) {
	case ordered:
		if err := enc.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for _, m := range v {
			if err := enc.WriteToken(jsontext.String(m.name)); err != nil {
				return err
			}
			if err := writeOrdered(enc, m.value); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndObject)
	case []any:
		if err := enc.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
		for _, item := range v {
			if err := writeOrdered(enc, item); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndArray)
	case jsontext.Value:
		return enc.WriteValue(v)
	default:
		return fmt.Errorf("encode ordered JSON: unexpected %T", v)
	}
}
