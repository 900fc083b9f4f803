package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// DecodeJSON reads one JSON value for use with Validator: objects as map[string]any, arrays as []any, numbers as
// json.Number, and string, bool and nil. It refuses duplicate member names, invalid UTF-8, nesting over 10,000 levels
// and anything after the value. Names keep their case: a case variant of a known name is another name. Errors never
// carry a value of the input.
func DecodeJSON(b []byte) (any, error) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(b))
	v, err := decodeValue(dec)
	if err != nil {
		return nil, decodeError(dec, err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, fmt.Errorf("decode JSON: more than one value, at byte %d", dec.InputOffset())
	}
	return v, nil
}

// decodeError keeps the place and drops the text of the library's error, which may quote the input.
func decodeError(dec *jsontext.Decoder, err error) error {
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("decode JSON: the input ends early")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("decode JSON: an object has two members of the same name, near byte %d", dec.InputOffset())
	default:
		return fmt.Errorf("decode JSON: syntax error near byte %d", dec.InputOffset())
	}
}

func decodeValue(dec *jsontext.Decoder) (any, error) {
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return tok.Bool(), nil
	case '"':
		return tok.String(), nil
	case '0':
		return json.Number(tok.String()), nil
	case '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			v, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.ReadToken()
		return list, err
	default:
		return decodeObject(dec)
	}
}

func decodeObject(dec *jsontext.Decoder) (any, error) {
	object := map[string]any{}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String() // before the next read, which reuses the token's memory
		if object[key], err = decodeValue(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return object, err
}
