package vehicle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"forecourt.internal/contract"
)

// JSON returns the canonical encoding: known members in the contract's order, then extra ones by name; nested objects by
// name; whole numbers without fraction or exponent. Equal vehicles have equal bytes.
func (v Vehicle) JSON() ([]byte, error) {
	dst := append(make([]byte, 0, usualSize), '{')
	written := 0
	for i, name := range members {
		value, ok := v[name]
		if !ok {
			continue
		}
		dst = append(dst, memberKeys[i]...)
		var err error
		if dst, err = appendValue(dst, value); err != nil {
			return nil, err
		}
		dst = append(dst, ',')
		written++
	}
	if written < len(v) {
		return appendMembers(dst, v, slices.DeleteFunc(slices.Sorted(maps.Keys(v)), Known))
	}
	return closed(dst), nil
}

// usualSize holds what most listings take, in bytes.
const usualSize = 2 << 10

// memberKeys are the names of the known members as they stand before a value. None needs an escape.
var memberKeys = func() (keys [numMembers]string) {
	for i, name := range members {
		keys[i] = `"` + name + `":`
	}
	return keys
}()

// appendMembers writes members and closes the object.
func appendMembers(dst []byte, object map[string]any, names []string) ([]byte, error) {
	for _, name := range names {
		var err error
		if dst, err = jsontext.AppendQuote(dst, name); err != nil {
			return nil, fmt.Errorf("encode member name: %w", err)
		}
		if dst, err = appendValue(append(dst, ':'), object[name]); err != nil {
			return nil, err
		}
		dst = append(dst, ',')
	}
	return closed(dst), nil
}

// closed puts the closing brace behind an object, in place of the last comma.
func closed(dst []byte) []byte {
	if last := len(dst) - 1; dst[last] == ',' {
		dst = dst[:last]
	}
	return append(dst, '}')
}

func appendValue(dst []byte, value any) ([]byte, error) {
	switch value := value.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, value), nil
	case string:
		dst, err := jsontext.AppendQuote(dst, value)
		if err != nil {
			return nil, fmt.Errorf("encode text: %w", err)
		}
		return dst, nil
	case json.Number:
		return appendNumber(dst, value), nil
	case []any:
		dst = append(dst, '[')
		for i, item := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendValue(dst, item); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		return appendMembers(append(dst, '{'), value, slices.Sorted(maps.Keys(value)))
	default:
		return nil, fmt.Errorf("encode vehicle: unexpected %T", value)
	}
}

// maxExact is the largest magnitude up to which every integer is a double.
const maxExact = 1 << 53

func appendNumber(dst []byte, n json.Number) []byte {
	if i, ok := contract.Int64(n); ok && i <= maxExact && i >= -maxExact {
		return strconv.AppendInt(dst, i, 10)
	}
	return append(dst, n...)
}
