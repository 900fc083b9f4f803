package vehicle

import (
	"encoding/json"

	"forecourt.internal/contract"
)

// Vehicle is a vehicle in the contract's shape, as contract.DecodeJSON returns it: strings, json.Number, bool, nil, []any and
// map[string]any. Extra members are kept.
type Vehicle map[string]any

// Text returns a string member; "" when it is absent or not a string.
func (v Vehicle) Text(name string) string {
	s, _ := v[name].(string)
	return s
}

// Texts returns the strings of a list member; nil when there are none.
func (v Vehicle) Texts(name string) []string {
	list, _ := v[name].([]any)
	var out []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// Number returns a numeric member, and whether there is one. Integers up to 2^53 are exact.
func (v Vehicle) Number(name string) (float64, bool) {
	n, ok := v[name].(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// Bool returns a boolean member, and whether there is one.
func (v Vehicle) Bool(name string) (value, ok bool) {
	value, ok = v[name].(bool)
	return value, ok
}

// Micros returns a date-time member in microseconds since 1970, and whether there is one.
func (v Vehicle) Micros(name string) (int64, bool) {
	t, ok := contract.ParseTime(v.Text(name))
	if !ok {
		return 0, false
	}
	return t.UnixMicro(), true
}
