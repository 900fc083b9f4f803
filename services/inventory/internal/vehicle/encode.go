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
	names := members[:]
	if extra := v.extra(); len(extra) > 0 {
		names = slices.Concat(names, extra)
	}
	return appendObject(make([]byte, 0, usualSize), v, names)
}

// usualSize holds what most listings take, in bytes.
const usualSize = 2 << 10

// extra returns the names of the members that the contract does not define, in their order.
func (v Vehicle) extra() []string {
	var names []string
	for name := range v {
		if !Known(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func appendObject(dst []byte, object map[string]any, names []string) ([]byte, error) {
	dst = append(dst, '{')
	first := true
	for _, name := range names {
		value, ok := object[name]
		if !ok {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		var err error
		if dst, err = jsontext.AppendQuote(dst, name); err != nil {
			return nil, fmt.Errorf("encode member name: %w", err)
		}
		if dst, err = appendValue(append(dst, ':'), value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
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
		return appendObject(dst, value, slices.Sorted(maps.Keys(value)))
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
